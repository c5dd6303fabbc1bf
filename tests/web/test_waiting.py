"""Few workers do nearly everything, so that the others need next to no memory."""

import threading

from tock_web.waiting import LastFirst

WORKERS = 12


def test_whoever_began_to_wait_last_is_woken_first_and_in_the_end_everybody() -> None:
    lock, woken = threading.Lock(), []
    waiting, news = LastFirst(lock), threading.Semaphore(0)

    def work(number: int) -> None:
        with lock:
            news.release()
            waiting.wait()
            woken.append(number)
        news.release()

    workers = [threading.Thread(target=work, args=(number,)) for number in range(WORKERS)]
    for worker in workers:
        worker.start()
        assert news.acquire(timeout=10)
    for _ in range(3):
        with waiting:
            waiting.notify()
        assert news.acquire(timeout=10)
    assert woken == [11, 10, 9]
    with lock:
        waiting.notify_all()
        waiting.notify()
    for worker in workers:
        worker.join(10)
    assert sorted(woken) == list(range(WORKERS))
