// Answers that have been given, by request target: those asked for last are kept, within a budget of bytes.
#pragma once

#include <cstddef>
#include <list>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <unordered_map>

namespace retrosow::cli {

// Thread: any number of threads.
class AnswerCache {
 public:
  using Body = std::shared_ptr<const std::string>;

  explicit AnswerCache(std::size_t budget_bytes) : budget_(budget_bytes) {}

  // Null where it is not there.
  Body find(std::string_view target) {
    const std::lock_guard lock(mutex_);
    const auto found = by_target_.find(target);
    if (found == by_target_.end()) return nullptr;
    by_use_.splice(by_use_.begin(), by_use_, found->second);
    return found->second->body;
  }

  // Drops those that have not been asked for the longest. One that takes more than an eighth of the budget is not kept.
  void keep(std::string_view target, Body body) {
    const std::size_t bytes = bytes_of(target, *body);
    if (bytes > budget_ / 8) return;
    const std::lock_guard lock(mutex_);
    if (by_target_.contains(target)) return;  // two threads have answered the same
    by_use_.push_front({std::string(target), std::move(body)});
    by_target_.emplace(by_use_.front().target, by_use_.begin());
    bytes_ += bytes;
    while (bytes_ > budget_) {
      const Entry& last = by_use_.back();
      bytes_ -= bytes_of(last.target, *last.body);
      by_target_.erase(last.target);
      by_use_.pop_back();
    }
  }

  std::size_t bytes() const {
    const std::lock_guard lock(mutex_);
    return bytes_;
  }

 private:
  struct Entry {
    std::string target;
    Body body;
  };
  static std::size_t bytes_of(std::string_view target, const std::string& body) {
    return target.size() + body.size() + 200;  // about what nodes and pointers take
  }

  const std::size_t budget_;
  mutable std::mutex mutex_;
  std::list<Entry> by_use_;  // the last asked for first
  std::unordered_map<std::string_view, std::list<Entry>::iterator> by_target_;
  std::size_t bytes_ = 0;
};

}  // namespace retrosow::cli
