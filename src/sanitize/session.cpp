#include "sanitize/session.h"

#include <fmt/format.h>

#include <algorithm>

#include "sanitize/launch_values.h"
#include "ttir/parse/parser.h"

namespace tritonsmith::sanitize {
namespace {

std::vector<ttir::Buffer*> buffers_of(const Json& handles) {
    std::vector<ttir::Buffer*> buffers;
    for (const Json& handle : handles)
        buffers.push_back(reinterpret_cast<ttir::Buffer*>(handle.get<uintptr_t>()));
    return buffers;
}

}  // namespace

RunningLaunch::RunningLaunch(Request request) : request_(std::move(request)) {
    request_.options.cancelled = &cancelled_;
    request_.options.finished = &finished_;
    thread_ = std::thread([this] {
        try {
            report_ = request_.kernel->program->launch(request_.grid, request_.arguments, request_.options);
        } catch (...) {
            failed_ = std::current_exception();
        }
        std::lock_guard lock(mutex_);
        done_ = true;
        ended_.notify_all();
    });
}

RunningLaunch::~RunningLaunch() {
    cancel();
    if (thread_.joinable()) thread_.join();
}

bool RunningLaunch::wait(std::chrono::milliseconds most) {
    std::unique_lock lock(mutex_);
    return ended_.wait_for(lock, most, [this] { return done_; });
}

const ttir::LaunchReport& RunningLaunch::report() {
    if (thread_.joinable()) thread_.join();
    if (failed_) std::rethrow_exception(failed_);
    return report_;
}

int Session::add_kernel(std::string name, std::string file, int line, const std::string& ttir) {
    auto program = std::make_unique<ttir::Program>(std::make_shared<ttir::Module>(ttir::parse(ttir)));
    kernels_.push_back(std::make_unique<Kernel>(std::move(name), std::move(file), line, std::move(program)));
    return static_cast<int>(kernels_.size()) - 1;
}

std::unique_ptr<RunningLaunch> Session::start(const Json& asked) const {
    Request request;
    request.kernel = kernels_.at(asked.at("kernel")).get();
    request.grid = asked.at("grid");
    request.buffers = buffers_of(asked.at("buffers"));
    for (const Json& value : asked.at("args"))
        request.arguments.push_back(argument_of(value, request.buffers));
    request.options.reachable = buffers_of(asked.at("reachable"));
    request.options.allow_int_to_ptr = true;
    request.options.checks = asked.at("checks");
    request.options.num_warps = asked.value("num_warps", 4);
    request.options.threads = static_cast<int>(std::max(1U, std::thread::hardware_concurrency()));
    request.launch = asked.at("launch");
    request.options.seed = static_cast<uint64_t>(request.launch);
    request.config = asked.at("config");
    request.tuning = asked.at("tuning");
    request.host_file = asked.at("host_file");
    request.host_line = asked.at("host_line");
    return std::make_unique<RunningLaunch>(std::move(request));
}

void Session::note(const RunningLaunch& launch, Kind kind, const Finding& finding) {
    const Request& request = launch.request();
    Entry entry;
    entry.kind = kind;
    entry.kernel = request.kernel->name;
    entry.file =
        finding.line > 0 ? finding.evidence.value("file", request.kernel->file) : request.kernel->file;
    entry.line = finding.line > 0 ? finding.line : request.kernel->line;
    entry.reason = finding.reason;
    entry.message = finding.message;
    entry.config = request.config;
    entry.launch = request.launch;
    entry.host_file = request.host_file;
    entry.host_line = request.host_line;
    entry.program = finding.evidence.value("program", Json());
    log_.add(std::move(entry));
}

Json Session::end(RunningLaunch& launch, const std::string& cancelled) {
    Json out = {{"prints", Json::array()}, {"programs", 0}};
    const ttir::LaunchReport* report = nullptr;
    try {
        report = &launch.report();
    } catch (const std::exception& error) {
        note(launch, Kind::unchecked, {"unsupported_kernel", error.what()});
        out["failed"] = error.what();
        return out;
    }
    out["prints"] = report->prints;
    out["programs"] = report->programs;
    if (!launch.request().tuning)
        for (ttir::Buffer* buffer : launch.request().buffers) buffer->forget_shadow_if_all_written();
    if (!launch.request().options.checks) return out;
    for (const Finding& f : report->findings)
        note(launch, f.reason == "inline_asm" ? Kind::unchecked : Kind::finding, f);
    for (const Finding& f : report->warnings) note(launch, Kind::warning, f);
    if (!report->unsupported.empty())
        note(launch, Kind::unchecked, {"unsupported_kernel", report->unsupported});
    else if (!cancelled.empty() && report->timed_out)
        note(launch, Kind::unchecked, {"interpret_timeout", cancelled});
    else if (report->timed_out && report->findings.empty())
        note(launch, Kind::finding,
             {"interpret_timeout",
              "the launch does not end: its programs wait for each other, or one runs for ever"});
    return out;
}

}  // namespace tritonsmith::sanitize
