// The ways to an endpoint other than plain TCP: TLS, whose certificates are checked, and Unix sockets.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <httplib.h>
#include <openssl/pem.h>

#include <thread>

#include "base/process/files.h"
#include "endpoint/client.h"

namespace tritonsmith::endpoint {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

constexpr const char* kModels = R"({"data":[{"id":"a"}]})";

/// Serves a list of models until it dies.
class Running {
  public:
    explicit Running(std::unique_ptr<httplib::Server> server, const std::string& socket = "")
        : server_(std::move(server)) {
        server_->Get("/v1/models", [](const httplib::Request&, httplib::Response& response) {
            response.set_content(kModels, "application/json");
        });
        if (socket.empty()) {
            port = server_->bind_to_any_port("127.0.0.1");
        } else {
            server_->set_address_family(AF_UNIX);
            if (!server_->bind_to_port(socket, 80)) throw MachineError("cannot bind " + socket);
        }
        thread_ = std::thread([this] { server_->listen_after_bind(); });
        while (!server_->is_running()) std::this_thread::yield();
    }
    ~Running() {
        server_->stop();
        thread_.join();
    }
    int port = 0;

  private:
    std::unique_ptr<httplib::Server> server_;
    std::thread thread_;
};

struct Certificate {
    EVP_PKEY* key = EVP_RSA_gen(2048);
    X509* certificate = X509_new();

    explicit Certificate(const char* name) {
        X509_set_version(certificate, 2);
        ASN1_INTEGER_set(X509_get_serialNumber(certificate), 1);
        X509_gmtime_adj(X509_getm_notBefore(certificate), -60);
        X509_gmtime_adj(X509_getm_notAfter(certificate), 3600);
        X509_set_pubkey(certificate, key);
        X509_NAME* subject = X509_get_subject_name(certificate);
        X509_NAME_add_entry_by_txt(subject, "CN", MBSTRING_ASC, reinterpret_cast<const unsigned char*>(name),
                                   -1, -1, 0);
        X509_set_issuer_name(certificate, subject);
        const std::string names = std::string("DNS:") + name;
        X509_EXTENSION* extension =
            X509V3_EXT_conf_nid(nullptr, nullptr, NID_subject_alt_name, names.c_str());
        X509_add_ext(certificate, extension, -1);
        X509_EXTENSION_free(extension);
        X509_sign(certificate, key, EVP_sha256());
    }
    ~Certificate() {
        X509_free(certificate);
        EVP_PKEY_free(key);
    }
    std::string pem() const {
        BIO* bio = BIO_new(BIO_s_mem());
        PEM_write_bio_X509(bio, certificate);
        char* data = nullptr;
        const long size = BIO_get_mem_data(bio, &data);
        std::string out(data, static_cast<size_t>(size));
        BIO_free(bio);
        return out;
    }
};

std::vector<std::string> models_of(const std::string& url) {
    ClientOptions options;
    options.address = parse_address(url);
    options.retry.attempts = 1;
    return Client(options).models();
}

TEST(Transport, TlsWithCertificatesThatAreTrusted) {
    const Certificate ours("localhost");
    const Running server(std::make_unique<httplib::SSLServer>(ours.certificate, ours.key));
    const std::string url = "https://localhost:" + std::to_string(server.port);
    try {
        models_of(url);
        FAIL() << "an unsigned certificate was trusted";
    } catch (const MachineError& error) {
        EXPECT_THAT(error.what(), HasSubstr("the certificate of " + url));
    }
    const TemporaryFolder folder;
    write_file(folder.path() / "ca.pem", ours.pem());
    ::setenv("SSL_CERT_FILE", (folder.path() / "ca.pem").c_str(), 1);
    EXPECT_THAT(models_of(url), ElementsAre("a"));
    // The certificate is another host's.
    EXPECT_THROW(models_of("https://127.0.0.1:" + std::to_string(server.port)), MachineError);
    ::unsetenv("SSL_CERT_FILE");
}

TEST(Transport, UnixSocket) {
    const TemporaryFolder folder;
    const std::string path = folder.path() / "model.sock";
    const Running server(std::make_unique<httplib::Server>(), path);
    EXPECT_THAT(models_of("unix:" + path), ElementsAre("a"));
}

}  // namespace
}  // namespace tritonsmith::endpoint
