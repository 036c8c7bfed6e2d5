// A binary heap of (priority, cell index), as a template: instances are functions of their own.
#pragma once
#include <utility>
#include <vector>

template <typename Priority, typename Value>
class Queue {
public:
    struct Entry {
        Priority priority;
        Value value;
    };

    bool empty() const { return heap_.empty(); }
    std::size_t size() const { return heap_.size(); }
    void clear() { heap_.clear(); }

    void push(Priority priority, Value value) {
        heap_.push_back(Entry{priority, value});
        std::size_t child = heap_.size() - 1;
        while (child > 0) {
            const std::size_t parent = above(child);
            if (!less(child, parent)) break;
            exchange(child, parent);
            child = parent;
        }
    }

    Entry pop() {
        Entry top = heap_.front();
        heap_.front() = heap_.back();
        heap_.pop_back();
        std::size_t parent = 0;
        for (;;) {
            std::size_t least = below(parent);
            if (least >= heap_.size()) break;
            if (least + 1 < heap_.size() && less(least + 1, least)) ++least;
            if (!less(least, parent)) break;
            exchange(least, parent);
            parent = least;
        }
        return top;
    }

private:
    static std::size_t above(std::size_t i) { return (i - 1) / 2; }
    static std::size_t below(std::size_t i) { return 2 * i + 1; }
    bool less(std::size_t a, std::size_t b) const { return heap_[a].priority < heap_[b].priority; }
    void exchange(std::size_t a, std::size_t b) { std::swap(heap_[a], heap_[b]); }

    std::vector<Entry> heap_;
};
