import type { Moment } from '#kit/domain/moment.ts'
import { addServiceSeconds, serviceSecondsBetween, type ServiceCalendar } from './service-calendar.ts'

/** One clock as it is. `deadline` is empty while it is paused. */
export interface ClockView {
  readonly deadline?: Moment | undefined
  /** When its stage began last: warnings go out once for each (WO-4). */
  readonly enteredAt?: Moment | undefined
  /** When its deadline was crossed first, however long ago that was noticed (WO-3). */
  readonly lateAt?: Moment | undefined
  readonly isRunning: boolean
  /** Seconds of service that are left while it runs or is paused; 0 once it is late. */
  readonly secondsLeft?: number | undefined
}

/** Counts service down to a deadline; can be paused, and started again. */
export class Clock {
  deadline: Moment | undefined
  enteredAt: Moment | undefined
  lateAt: Moment | undefined
  isRunning = false
  #pausedSeconds: number | undefined
  /** The deadline that was crossed before the clock was paused. */
  #crossedDeadline: Moment | undefined
  /** The deadline that stood when the clock was paused. */
  #pausedDeadline: Moment | undefined
  readonly #calendar: ServiceCalendar

  constructor(calendar: ServiceCalendar) {
    this.#calendar = calendar
  }

  /** A new stage with its whole allowance; without one the clock stays off. */
  start(at: Moment, minutes: number | undefined): void {
    this.clear()
    if (minutes === undefined) return
    this.enteredAt = at
    this.deadline = addServiceSeconds(this.#calendar, at, minutes * 60)
    this.isRunning = this.deadline !== undefined
  }

  /** Notices a deadline that has passed: a moment at the deadline itself is in time. */
  observe(at: Moment): void {
    if (!this.isRunning || this.lateAt !== undefined || this.deadline === undefined) return
    if (at > this.deadline) {
      this.lateAt = this.deadline
    }
  }

  secondsLeft(at: Moment): number | undefined {
    if (this.#pausedSeconds !== undefined) return this.#pausedSeconds
    return this.isRunning && this.deadline !== undefined
      ? serviceSecondsBetween(this.#calendar, at, this.deadline)
      : undefined
  }

  /** Stands still; what was left is kept. */
  pause(at: Moment): void {
    if (!this.isRunning) return
    this.#pausedSeconds = this.secondsLeft(at)
    this.#crossedDeadline = this.#deadlineCrossedAt(at)
    this.#pausedDeadline = this.deadline
    this.deadline = undefined
    this.isRunning = false
  }

  /** What was promised: while it is paused, the deadline that stood before. */
  get promised(): Moment | undefined {
    return this.#pausedSeconds === undefined ? this.deadline : this.#pausedDeadline
  }

  #deadlineCrossedAt(at: Moment): Moment | undefined {
    return this.deadline !== undefined && at > this.deadline ? this.deadline : undefined
  }

  /** Goes on with what was left; late already, with the deadline that was crossed. */
  resume(at: Moment): void {
    if (this.#pausedSeconds === undefined) return
    this.deadline = this.#crossedDeadline ?? addServiceSeconds(this.#calendar, at, this.#pausedSeconds)
    this.#pausedSeconds = undefined
    this.#crossedDeadline = undefined
    this.isRunning = this.deadline !== undefined
  }

  /** Its stage is over: the deadline stays to be read. */
  stop(at: Moment): void {
    this.isRunning = false
    this.#pausedSeconds = undefined
    this.stoppedAt = at
  }

  stoppedAt: Moment | undefined

  /** The work is sent back: the stage goes on as `resume` does, from when it was handed in. */
  continueAfterStop(at: Moment): void {
    if (this.deadline === undefined || this.stoppedAt === undefined) return
    const remainingSeconds = serviceSecondsBetween(this.#calendar, this.stoppedAt, this.deadline)
    this.enteredAt = at
    this.deadline =
      this.#deadlineCrossedAt(this.stoppedAt) ?? addServiceSeconds(this.#calendar, at, remainingSeconds)
    this.isRunning = this.deadline !== undefined
  }

  /** An approved extension (WO-6). */
  moveTo(deadline: Moment, at: Moment): void {
    if (this.#pausedSeconds !== undefined) {
      this.#pausedSeconds = serviceSecondsBetween(this.#calendar, at, deadline)
      this.#crossedDeadline = undefined
      return
    }
    this.deadline = deadline
    this.enteredAt ??= at
    this.isRunning = true
  }

  clear(): void {
    this.deadline = undefined
    this.#pausedSeconds = undefined
    this.#crossedDeadline = undefined
    this.isRunning = false
  }

  view(at: Moment): ClockView {
    return {
      deadline: this.deadline,
      enteredAt: this.enteredAt,
      lateAt: this.lateAt,
      isRunning: this.isRunning,
      secondsLeft: this.secondsLeft(at),
    }
  }
}
