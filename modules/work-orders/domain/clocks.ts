import { addDaysToMoment, addSeconds, secondsBetween, type Moment } from '#kit/domain/moment.ts'
import { Clock, type ClockView } from './clock.ts'
import type { OrderAction, OrderState } from './order-actions.ts'
import type { ServiceCalendar } from './service-calendar.ts'

/** A row of the history as the clocks read it, in the order of what happened. */
export interface ClockRow {
  readonly action: OrderAction
  readonly to: OrderState
  readonly at: Moment
  /** For `extend`: the new deadline. */
  readonly deadline?: Moment | undefined
}

/** Minutes of service; none where nothing is asked. */
export interface ClockLimits {
  readonly responseMinutes?: number | undefined
  readonly arriveMinutes?: number | undefined
  readonly finishMinutes?: number | undefined
  readonly evaluateDays: number
}

export interface OrderClocks {
  readonly response: ClockView
  readonly arrive: ClockView
  readonly finish: ClockView
  readonly originalFinishDeadline?: Moment | undefined
  readonly evaluateDeadline?: Moment | undefined
  readonly suspendMinutes: number
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
    if (row.to === 'unpaid') {
      // Owed again: it is rated once it is paid, with all the days for it.
      this.#evaluateDeadline = undefined
    }
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
      this.#original ??= this.finish.promised
      this.finish.moveTo(deadline, at)
    },
    finish: ({ at }) => {
      this.arrive.stop(at)
      this.finish.stop(at)
    },
    checkReject: ({ at, to }) => {
      this.finish.continueAfterStop(at)
      this.#backToWork(at, to)
    },
    reopen: ({ at, to }) => {
      this.#evaluateDeadline = undefined
      this.finish.start(at, this.#limits.finishMinutes)
      this.#backToWork(at, to)
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

  /** With its former handler, or waiting for another person. */
  #backToWork(at: Moment, to: OrderState): void {
    if (to === 'waiting') {
      this.#toAnother(at)
    }
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

/** When a warning of a stage is due: so many wall-clock minutes from its deadline (WO-4). */
export const warningTime = (deadline: Moment, offsetMinutes: number): Moment =>
  addSeconds(deadline, offsetMinutes * 60)
