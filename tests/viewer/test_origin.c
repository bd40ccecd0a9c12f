#include "app/viewer/server/origin.h"

#include "test.h"

TAC_TEST(local_addresses_are_recognised) {
  ck_assert(tac_origin_is_local("127.0.0.1"));
  ck_assert(tac_origin_is_local("127.9.8.7"));
  ck_assert(!tac_origin_is_local("0.0.0.0"));
  ck_assert(!tac_origin_is_local("192.168.1.1"));
  ck_assert(!tac_origin_is_local("127.0.0.1.example.org"));
}

TAC_TEST(only_names_of_this_machine_are_accepted) {
  const char *right[] = {"127.0.0.1:8080", "localhost:8080", "LocalHost:8080", "[::1]:8080", "127.0.0.2:8080"};
  const char *wrong[] = {
      "example.org:8080",   "127.0.0.1", "localhost:80",  "localhost:80801", "localhost.example.org:8080",
      "127.0.0.1:8080.org", "",          "127.0.0.3:8080"};
  for (size_t i = 0; i < sizeof right / sizeof *right; ++i)
    ck_assert_msg(tac_origin_host_local(right[i], "127.0.0.2", 8080), "%s", right[i]);
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; ++i)
    ck_assert_msg(!tac_origin_host_local(wrong[i], "127.0.0.2", 8080), "%s", wrong[i]);
  ck_assert(tac_origin_host_local("localhost", "127.0.0.1", 80)); /* as browsers write it */
}

TAC_TEST(hosts_have_no_other_characters) {
  ck_assert(tac_origin_host_valid("a-b_c.example.org:1"));
  ck_assert(tac_origin_host_valid("[fe80::1]:8080"));
  ck_assert(!tac_origin_host_valid(""));
  ck_assert(!tac_origin_host_valid("a; script-src *"));
  ck_assert(!tac_origin_host_valid("a\r\nX: y"));
  ck_assert(!tac_origin_host_valid("a/b"));
}

TAC_TEST(origins_are_the_host_with_a_scheme) {
  ck_assert(tac_origin_same("http://localhost:8080", "localhost:8080"));
  ck_assert(tac_origin_same("https://example.org", "example.org"));
  const char *wrong[] = {"null",
                         "",
                         "localhost:8080",
                         "http://localhost",
                         "http://localhost:80800",
                         "ftp://localhost:8080",
                         "http://127.0.0.1:8080",
                         "http://localhost:8080/",
                         "http://evil/http://localhost:8080"};
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; ++i)
    ck_assert_msg(!tac_origin_same(wrong[i], "localhost:8080"), "%s", wrong[i]);
}

TAC_TEST(tokens_are_equal_or_not) {
  ck_assert(tac_origin_token_equal("secret", "secret"));
  const char *wrong[] = {"", "secre", "secrets", "Secret", "secreT", "terces"};
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; ++i)
    ck_assert_msg(!tac_origin_token_equal(wrong[i], "secret"), "%s", wrong[i]);
}
