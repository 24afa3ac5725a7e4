import { addDaysToMoment, addSeconds, secondsBetween, type Moment } from '#kit/domain/moment.ts'
import type { OrderAction, OrderState } from './order-actions.ts'
import { addServiceSeconds, serviceSecondsBetween, type ServiceCalendar } from './service-calendar.ts'

/** A row of the history as the clocks read it, in the order of what happened. */
export interface ClockRow {
  readonly action: OrderAction
  readonly to: OrderState
  readonly at: Moment
  /** Of `extend`: the new deadline. */
  readonly deadline?: Moment | undefined
}

/** Minutes of service; none where nothing is asked. */
export interface ClockLimits {
  readonly responseMinutes?: number | undefined
  readonly arriveMinutes?: number | undefined
  readonly finishMinutes?: number | undefined
  readonly evaluateDays: number
}

/** One clock as it stands. `deadline` is empty while it is paused. */
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

export interface OrderClocks {
  readonly response: ClockView
  readonly arrive: ClockView
  readonly finish: ClockView
  readonly originalFinishDeadline?: Moment | undefined
  readonly evaluateDeadline?: Moment | undefined
  readonly suspendMinutes: number
}

/** Counts service down to a deadline; can be paused, and started again. */
class Clock {
  deadline: Moment | undefined
  enteredAt: Moment | undefined
  lateAt: Moment | undefined
  isRunning = false
  #left: number | undefined
  /** The deadline that was crossed before the clock was paused. */
  #crossed: Moment | undefined
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
    if (this.#left !== undefined) return this.#left
    return this.isRunning && this.deadline !== undefined
      ? serviceSecondsBetween(this.#calendar, at, this.deadline)
      : undefined
  }

  /** Stands still; what was left is kept. */
  pause(at: Moment): void {
    if (!this.isRunning) return
    this.#left = this.secondsLeft(at)
    this.#crossed = this.#crossedAt(at)
    this.deadline = undefined
    this.isRunning = false
  }

  #crossedAt(at: Moment): Moment | undefined {
    return this.deadline !== undefined && at > this.deadline ? this.deadline : undefined
  }

  /** Goes on with what was left; late already, with the deadline that was crossed. */
  resume(at: Moment): void {
    if (this.#left === undefined) return
    this.deadline = this.#crossed ?? addServiceSeconds(this.#calendar, at, this.#left)
    this.#left = undefined
    this.#crossed = undefined
    this.isRunning = this.deadline !== undefined
  }

  /** Its stage is over: the deadline stays to be read. */
  stop(at: Moment): void {
    this.isRunning = false
    this.#left = undefined
    this.stoppedAt = at
  }

  stoppedAt: Moment | undefined

  /** The work is sent back: the stage goes on as `resume` does, from when it was handed in. */
  continueAfterStop(at: Moment): void {
    if (this.deadline === undefined || this.stoppedAt === undefined) return
    const remainingSeconds = serviceSecondsBetween(this.#calendar, this.stoppedAt, this.deadline)
    this.enteredAt = at
    this.deadline = this.#crossedAt(this.stoppedAt) ?? addServiceSeconds(this.#calendar, at, remainingSeconds)
    this.isRunning = this.deadline !== undefined
  }

  /** An approved extension (WO-6). */
  moveTo(deadline: Moment, at: Moment): void {
    if (this.#left !== undefined) {
      this.#left = serviceSecondsBetween(this.#calendar, at, deadline)
      this.#crossed = undefined
      return
    }
    this.deadline = deadline
    this.enteredAt ??= at
    this.isRunning = true
  }

  clear(): void {
    this.deadline = undefined
    this.#left = undefined
    this.#crossed = undefined
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

/**
 * The clocks of an order as its history makes them (WO-2, WO-3), seen at `now`. The response runs from the
 * registration to the acceptance, and again when the order is given to another person afterwards; arriving
 * from the acceptance; finishing from 待派单 until the work is handed in, and on with the rest when it is sent
 * back. None runs while the order is suspended.
 */
export function computeClocks(
  history: readonly ClockRow[],
  limits: ClockLimits,
  calendar: ServiceCalendar,
  now: Moment,
): OrderClocks {
  const run = new ClockRun(limits, calendar)
  for (const row of history) {
    run.apply(row)
  }
  return run.view(now)
}

class ClockRun {
  readonly response: Clock
  readonly arrive: Clock
  readonly finish: Clock
  readonly #limits: ClockLimits
  #original: Moment | undefined
  #evaluateDeadline: Moment | undefined
  #suspendedAt: Moment | undefined
  #suspendSeconds = 0
  #hasArrived = false

  constructor(limits: ClockLimits, calendar: ServiceCalendar) {
    this.#limits = limits
    this.response = new Clock(calendar)
    this.arrive = new Clock(calendar)
    this.finish = new Clock(calendar)
  }

  apply(row: ClockRow): void {
    this.observe(row.at)
    this.#byAction[row.action]?.(row)
    if (row.to === 'unrated' && this.#evaluateDeadline === undefined) {
      this.#evaluateDeadline = addDaysToMoment(row.at, this.#limits.evaluateDays)
    }
  }

  observe(at: Moment): void {
    for (const clock of [this.response, this.arrive, this.finish]) {
      clock.observe(at)
    }
  }

  readonly #byAction: { readonly [A in OrderAction]?: (row: ClockRow) => void } = {
    register: ({ at, to }) => {
      this.response.start(at, this.#limits.responseMinutes)
      if (to === 'waiting') {
        this.finish.start(at, this.#limits.finishMinutes)
      }
    },
    auditPass: ({ at }) => this.finish.start(at, this.#limits.finishMinutes),
    auditRefuse: ({ at }) => this.#end(at),
    dispatch: ({ at }) => this.#toAnother(at),
    deny: ({ at }) => this.#toAnother(at),
    grab: ({ at }) => this.#accept(at),
    accept: ({ at }) => this.#accept(at),
    arrive: ({ at }) => {
      this.arrive.stop(at)
      this.#hasArrived = true
    },
    suspend: ({ at }) => {
      this.#suspendedAt = at
      this.finish.pause(at)
      this.arrive.pause(at)
    },
    resume: ({ at }) => this.#resume(at),
    extend: ({ at, deadline }) => {
      if (deadline === undefined) return
      this.#original ??= this.finish.deadline
      this.finish.moveTo(deadline, at)
    },
    finish: ({ at }) => {
      this.arrive.stop(at)
      this.finish.stop(at)
    },
    checkReject: ({ at }) => this.finish.continueAfterStop(at),
    reopen: ({ at }) => {
      this.#evaluateDeadline = undefined
      this.finish.start(at, this.#limits.finishMinutes)
    },
    close: ({ at }) => this.#end(at),
    cancel: ({ at }) => this.#end(at),
  }

  /** Dispatched again, or denied: who gets it next must respond; the way there before is not asked. */
  #toAnother(at: Moment): void {
    this.#resume(at)
    if (!this.response.isRunning) {
      this.response.start(at, this.#limits.responseMinutes)
    }
    this.arrive.clear()
    this.#hasArrived = false
  }

  #accept(at: Moment): void {
    this.response.stop(at)
    this.#hasArrived = false
    this.arrive.start(at, this.#limits.arriveMinutes)
  }

  #resume(at: Moment): void {
    if (this.#suspendedAt === undefined) return
    this.#suspendSeconds += secondsBetween(this.#suspendedAt, at)
    this.#suspendedAt = undefined
    this.finish.resume(at)
    if (!this.#hasArrived) {
      this.arrive.resume(at)
    }
  }

  #end(at: Moment): void {
    if (this.#suspendedAt !== undefined) {
      this.#suspendSeconds += secondsBetween(this.#suspendedAt, at)
      this.#suspendedAt = undefined
    }
    for (const clock of [this.response, this.arrive, this.finish]) {
      clock.stop(at)
    }
  }

  view(now: Moment): OrderClocks {
    this.observe(now)
    return {
      response: this.response.view(now),
      arrive: this.arrive.view(now),
      finish: this.finish.view(now),
      originalFinishDeadline: this.#original,
      evaluateDeadline: this.#evaluateDeadline,
      suspendMinutes: Math.floor(this.#suspendSeconds / 60),
    }
  }
}

/** The next deadline that is running: what lists are ordered by. */
export function nextDeadline(clocks: OrderClocks): Moment | undefined {
  const running = [clocks.response, clocks.arrive, clocks.finish].flatMap(clock =>
    clock.isRunning && clock.deadline !== undefined ? [clock.deadline] : [],
  )
  return running.toSorted()[0]
}

/** When a warning of a stage is due: so many minutes of the clock on the wall from its deadline (WO-4). */
export const warningTime = (deadline: Moment, offsetMinutes: number): Moment =>
  addSeconds(deadline, offsetMinutes * 60)
