#include "lint/rules.h"

#include <algorithm>

#include "lint/names.h"
#include "lint/operators.h"

namespace tritonsmith::lint {
namespace {

size_t at(int index) {
    return static_cast<size_t>(index);
}

bool ends_with_call(std::string_view path) {
    return path.ends_with("()");
}

class Rules {
  public:
    Rules(Facts& facts, Report& report)
        : facts_(facts), names_(facts), report_(report), reached_(facts.functions.size()) {}

    void run() {
        find_kernels();
        group_uses();
        entry_ = names_.find_class("ModelNew");
        if (entry_ >= 0) {
            check_bases();
            for (std::string_view method : {"forward", "__call__"}) reach(names_.find_method(entry_, method));
        } else {
            // A program of plain functions: any of them may be the entry.
            for (size_t i = 0; i < facts_.functions.size(); ++i)
                if (facts_.functions[i].owner < 0) reach(static_cast<int>(i));
        }
        while (!queue_.empty()) {
            int function = queue_.back();
            queue_.pop_back();
            each_use(function, [&](const Use& use) { check_reached(use); });
        }
        for (size_t i = 0; i < facts_.functions.size(); ++i)
            if (!reached_[i] && !facts_.functions[i].kernel)
                each_use(static_cast<int>(i), [&](const Use& use) { check_elsewhere(use); });
        if (report_.is_triton && !launched_ && !(unknown_launch_ && kernel_mentioned_))
            report("kernel_never_called", "no Triton kernel is launched on the way from ModelNew.forward",
                   facts_.functions[at(first_kernel_)].place);
    }

  private:
    void report(std::string_view rule, std::string message, Place place) {
        report_.diagnostics.push_back({std::string(rule), std::move(message), place.line, place.column});
    }

    void find_kernels() {
        for (const Use& use : facts_.uses)
            if (use.what == Use::What::Call && use.name.ends_with("jit") && !use.argument.empty() &&
                names_.resolve(use.name, use.function) == "triton.jit")
                if (int function = names_.find_function(use.argument); function >= 0)
                    facts_.functions[at(function)].kernel = true;
        for (size_t i = 1; i < facts_.functions.size(); ++i) {
            const Function& function = facts_.functions[i];
            if (!function.kernel) continue;
            if (first_kernel_ < 0) first_kernel_ = static_cast<int>(i);
            report_.kernels.emplace_back(function.name);
            if (function.trivial)
                report("kernel_is_pass", "kernel '" + std::string(function.name) + "' does nothing",
                       function.place);
        }
        report_.is_triton = first_kernel_ >= 0;
    }

    void group_uses() {
        order_.resize(facts_.uses.size());
        first_.assign(facts_.functions.size() + 1, 0);
        for (const Use& use : facts_.uses) ++first_[at(use.function) + 1];
        for (size_t i = 1; i < first_.size(); ++i) first_[i] += first_[i - 1];
        std::vector<uint32_t> next(first_.begin(), first_.end() - 1);
        for (const Use& use : facts_.uses) order_[next[at(use.function)]++] = &use;
    }

    template <class Action>
    void each_use(int function, Action action) {
        for (uint32_t i = first_[at(function)]; i < first_[at(function) + 1]; ++i) action(*order_[i]);
    }

    void reach(int function) {
        if (function < 0 || reached_[at(function)] || facts_.functions[at(function)].kernel) return;
        reached_[at(function)] = true;
        queue_.push_back(function);
    }

    /// An object of the class is made or called. Backward passes are not part of the task.
    void reach_class(int cls) {
        for (std::string_view method : {"forward", "__call__"}) reach(names_.find_method(cls, method));
    }

    void check_bases() {
        const Class& entry = facts_.classes[at(entry_)];
        bool own_forward = names_.find_method(entry_, "forward") >= 0;
        for (std::string_view base : entry.bases) {
            std::string path(names_.resolve(base, 0));
            if (path == "torch.nn.Module" || path == "torch.nn.modules.module.Module" || path == "object")
                continue;
            if (classify(path) == Operator::Module) {
                if (!own_forward)
                    report("host_nn_module", "ModelNew is " + path + " under another name", entry.place);
            } else if (path == "Model" || (names_.find_class(path) < 0 && !names_.imported(base, 0))) {
                report("inherits_reference", "ModelNew inherits from '" + path + "'", entry.place);
            }
        }
    }

    void check_reached(const Use& use) {
        switch (use.what) {
            case Use::What::Call:
                check_call(use);
                break;
            case Use::What::Launch:
                check_launch(use);
                break;
            case Use::What::Mention:
                check_mention(use);
                break;
            case Use::What::Matmul:
                report("host_matmul",
                       "matrix product by the operator " + std::string(use.name) + " in host code",
                       use.place);
                break;
            case Use::What::Swallow:
                if (use.function == 0) break;  // imports that may be absent
                report("try_fallback",
                       "an exception is swallowed in host code: what fails must be seen to fail", use.place);
                break;
            case Use::What::Dynamic:
            case Use::What::Patch:
                check_elsewhere(use);
                break;
        }
    }

    /// Code that forward does not reach: construction, tests, the module itself.
    void check_elsewhere(const Use& use) {
        if (use.what == Use::What::Dynamic) {
            std::string path(names_.resolve(use.name, use.function));
            if (use.argument != "getattr" || path.starts_with("torch"))
                report("dynamic_code",
                       "'" + (use.argument.empty() ? path : std::string(use.argument)) +
                           "' hides from the reader what is called",
                       use.place);
        } else if (use.what == Use::What::Patch) {
            if (!names_.imported(use.name, use.function)) return;
            std::string path(names_.resolve(use.name, use.function));
            if (!path.starts_with("torch.backends") && !path.starts_with("os.environ"))
                report("patches_library", "assigns to '" + path + "'", use.place);
        } else if (use.what == Use::What::Call || use.what == Use::What::Mention) {
            // The module and constructors may compute (tests, weights), but not compile or call hidden code.
            std::string_view path = names_.resolve(use.name, use.function);
            bool mention = use.what == Use::What::Mention;
            if (use.function == 0 && mention && find_kernel(path)) kernel_mentioned_ = true;
            Operator op = path.find('(') == std::string_view::npos ? classify(path) : Operator::None;
            bool aliased = mention && use.function == 0 && entry_ >= 0 &&
                           (op == Operator::Matmul || op == Operator::Functional);
            if (op == Operator::Compile || op == Operator::Extern || (op == Operator::Dynamic && !mention) ||
                aliased)
                report_operator(op, path, use.place);
            if (entry_ >= 0 && !mention && path == "Model" && names_.owner(use.function) == entry_)
                report("inherits_reference", "ModelNew builds the reference", use.place);
        }
    }

    void report_operator(Operator op, std::string_view path, Place place) {
        std::string name(path);
        switch (op) {
            case Operator::None:
                break;
            case Operator::Matmul:
                report("host_matmul", "'" + name + "' in host code: the product belongs in the kernel",
                       place);
                break;
            case Operator::Module:
                report("host_nn_module", "module '" + name + "' computes in host code", place);
                break;
            case Operator::Functional:
                report("host_functional", "'" + name + "' in host code", place);
                break;
            case Operator::Torch:
                report("host_torch_op", "'" + name + "' computes in host code", place);
                break;
            case Operator::Compile:
                report("torch_compile", "'" + name + "' has kernels written by a compiler", place);
                break;
            case Operator::Extern:
                report("extern_kernels", "'" + name + "' calls a library's kernel", place);
                break;
            case Operator::Dynamic:
                report("dynamic_code", "'" + name + "' hides from the reader what is called", place);
                break;
        }
    }

    bool find_kernel(std::string_view path) const {
        std::string_view head = path.substr(0, path.find_first_of(".(["));
        return std::any_of(report_.kernels.begin(), report_.kernels.end(),
                           [&](const std::string& k) { return k == head; }) ||
               path.starts_with("triton.jit()");
    }

    /// Follows a path to code in this file. True if it led somewhere.
    bool follow(std::string_view name, std::string_view path, int function) {
        if (name.starts_with("self.") || name.starts_with("cls.")) {
            std::string_view method = name.substr(name.find('.') + 1);
            int found = names_.find_method(names_.owner(function), method.substr(0, method.find('.')));
            reach(found);
            if (found >= 0) return true;
        }
        std::string_view head = path.substr(0, path.find_first_of(".(["));
        int local = names_.find_function(head);
        if (local >= 0) {
            reach(local);
            return true;
        }
        int cls = names_.find_class(head);
        if (cls < 0) return false;
        if (head == "Model" && names_.owner(function) == entry_ && entry_ >= 0) uses_reference_ = true;
        reach_class(cls);
        size_t dot = path.rfind('.');
        if (dot != std::string_view::npos) reach(names_.find_method(cls, path.substr(dot + 1)));
        return true;
    }

    void check_call(const Use& use) {
        if (use.name.front() == '.') {
            report_operator(classify_method(use.name.substr(1)), use.name, use.place);
            return;
        }
        std::string path(names_.resolve(use.name, use.function));
        if (find_kernel(path)) {
            // kernel.run(...), kernel.warmup(...), or a launcher kept as kernel[grid]
            launched_ = launched_ || path.find_first_of(".[") != std::string::npos;
            kernel_mentioned_ = true;
            return;
        }
        bool local = follow(use.name, path, use.function);
        if (uses_reference_) {
            report("inherits_reference", "ModelNew calls the reference", use.place);
            uses_reference_ = false;
        }
        if (local) return;
        if (ends_with_call(path) || path.ends_with(".forward")) {
            // The result of a call is called: only modules compute when called.
            std::string_view made = std::string_view(path).substr(0, path.find('('));
            if (classify(made) == Operator::Module) return report_operator(Operator::Module, made, use.place);
            if (ends_with_call(path)) return;
        }
        Operator op = path.find_first_of("([") == std::string::npos ? classify(path) : Operator::None;
        if (op == Operator::Module) return;  // made here, computes only when called
        if (op != Operator::None) return report_operator(op, path, use.place);
        size_t dot = path.rfind('.');
        bool own = use.name.starts_with("self.") && use.name.find('.', 5) == std::string_view::npos &&
                   path == use.name;
        if (dot == std::string::npos || own || names_.imported(use.name, use.function)) return;
        report_operator(classify_method(std::string_view(path).substr(dot + 1)), use.name, use.place);
    }

    void check_launch(const Use& use) {
        std::string path(names_.resolve(use.name, use.function));
        if (find_kernel(path)) {
            launched_ = true;
        } else if (classify(path.substr(0, path.find('('))) == Operator::Module) {
            report_operator(Operator::Module, path, use.place);
        } else {
            unknown_launch_ = true;
            follow(use.name, path, use.function);
        }
    }

    void check_mention(const Use& use) {
        std::string_view path = names_.resolve(use.name, use.function);
        if (find_kernel(path)) {
            kernel_mentioned_ = true;
            return;
        }
        if (path.find_first_of("([") != std::string_view::npos) return;
        if (path.data() == use.name.data() && use.name.find('.') == std::string_view::npos) {
            int local = names_.find_function(path);
            reach(local);
            if (local < 0 && names_.find_class(path) >= 0) reach_class(names_.find_class(path));
            if (!names_.imported(use.name, use.function)) return;
        }
        std::string kept(path);
        if (follow(use.name, kept, use.function)) return;
        Operator op = classify(kept);
        if (op != Operator::Module && (op != Operator::Dynamic || names_.imported(use.name, use.function)))
            report_operator(op, kept, use.place);
    }

    Facts& facts_;
    Names names_;
    Report& report_;
    std::vector<char> reached_;
    std::vector<int> queue_;
    std::vector<const Use*> order_;
    std::vector<uint32_t> first_;
    int entry_ = -1, first_kernel_ = -1;
    bool launched_ = false, unknown_launch_ = false, kernel_mentioned_ = false, uses_reference_ = false;
};

}  // namespace

void apply_rules(Facts& facts, Report& report) {
    Rules(facts, report).run();
}

}  // namespace tritonsmith::lint
