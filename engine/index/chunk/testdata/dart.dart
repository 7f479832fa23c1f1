import 'dart:async';

/// A task.
class Task extends Base {
  final int id;
  static const limit = 10;

  Task(this.id);

  @override
  String get label => 'task $id';

  Future<void> run(int times) async {
    await work(times);
  }
}

enum Level { low, high }

void main() {
  Task(1).run(2);
}
