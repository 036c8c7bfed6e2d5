namespace geo {
class Box {
public:
  explicit Box(int size);
  ~Box();
  int grow(int by) const;
  int in_class() const { return size_; }

private:
  int size_;
};
inline int in_header(int x) { return Box(x).in_class(); }
} // namespace geo
