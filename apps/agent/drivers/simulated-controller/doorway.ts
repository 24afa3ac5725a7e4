import { fromInstant } from '#kit/domain/moment.ts'
import { minuteOfWeek } from '#kit/domain/week-window.ts'
import { isObject, type JsonObject } from '../../json.ts'
import { intervalsOfPlan } from '../isapi/week-plan.ts'
import type { ControllerMemory } from './memory.ts'

/** Minor codes of the protocol, of major 5. */
export const minor = {
  cardPassed: 1,
  noRight: 6,
  outOfTime: 7,
  outOfDate: 8,
  unknownCard: 9,
  button: 23,
  closed: 26,
  forced: 27,
  openTooLong: 28,
  fingerPassed: 38,
  fingerRefused: 39,
  facePassed: 75,
  faceRefused: 76,
} as const

const objectAt = (value: unknown, name: string): JsonObject => {
  const found = isObject(value) ? value[name] : undefined
  return isObject(found) ? found : {}
}

const rowsOf = (value: unknown): JsonObject[] => (Array.isArray(value) ? value.filter(isObject) : [])

/** A door that decides by itself, from what its controller holds. */
export class SimulatedDoorway {
  readonly #memory: ControllerMemory
  readonly #clock: () => number
  #remoteOpenings = 0

  constructor(memory: ControllerMemory, clock: () => number = Date.now) {
    this.#memory = memory
    this.#clock = clock
  }

  /** A card or a code before the reader. Returns whether it opens. */
  swipe(cardNo: string, reader = 1): boolean {
    if (!this.#isOn(reader)) return false
    const no = this.#memory.holderOfCard(cardNo)
    const found = no === undefined ? minor.unknownCard : this.#decide(no, minor.cardPassed)
    this.#record(found, { cardNo, cardReaderNo: reader, ...(no !== undefined && { employeeNoString: no }) })
    return found === minor.cardPassed
  }

  /** The face of one that it may know. */
  showFace(no: string, reader = 1): boolean {
    if (!this.#isOn(reader)) return false
    const isKnown = this.#memory.hasFace(no)
    const found = isKnown ? this.#decide(no, minor.facePassed) : minor.faceRefused
    this.#record(found, {
      cardReaderNo: reader,
      pictureURL: '/LOCALS/pic/acsLinkCap/face.jpg',
      currTemperature: 36.5,
      ...(isKnown && { employeeNoString: no }),
    })
    return found === minor.facePassed
  }

  /** The finger of one whose template a reader may have. */
  pressFinger(no: string, reader = 1): boolean {
    if (!this.#isOn(reader)) return false
    const isKnown = this.#memory.hasFinger(no, reader)
    const found = isKnown ? this.#decide(no, minor.fingerPassed) : minor.fingerRefused
    this.#record(found, { cardReaderNo: reader, ...(isKnown && { employeeNoString: no }) })
    return found === minor.fingerPassed
  }

  note(code: number): void {
    this.#record(code, {})
  }

  /** How often it was opened from afar since it runs. */
  get remoteOpenings(): number {
    return this.#remoteOpenings
  }

  noteRemoteOpen(): void {
    this.#remoteOpenings++
    this.#memory.addRecord({ major: 3, minor: 1024, time: this.#time(), cardReaderNo: 0 })
  }

  /** Free for all now (ACS-7). */
  isFree(): boolean {
    const plan = this.#memory.option('DoorStatusWeekPlanCfg')
    return plan?.enable === true && this.#isWithin(plan)
  }

  /** A reader that is turned off reads nothing and reports nothing. */
  #isOn(reader: number): boolean {
    return this.#memory.option(`CardReaderCfg/${reader}`)?.enable !== false
  }

  #decide(no: string, passed: number): number {
    const person = this.#memory.person(no)
    if (!person) return minor.noRight
    const { beginTime, endTime } = objectAt(person, 'Valid')
    const now = fromInstant(this.#clock()).replace(' ', 'T')
    if (now < String(beginTime) || now > String(endTime)) return minor.outOfDate
    return this.isFree() || this.#isInPlan(person) ? passed : minor.outOfTime
  }

  #isInPlan({ RightPlan }: JsonObject): boolean {
    const [first] = rowsOf(RightPlan)
    const template = this.#memory.option(`UserRightPlanTemplate/${String(first?.planTemplateNo)}`)
    const plan = this.#memory.option(`UserRightWeekPlanCfg/${String(template?.weekPlanNo)}`)
    return plan !== undefined && this.#isWithin(plan)
  }

  #isWithin(plan: JsonObject): boolean {
    const minute = minuteOfWeek(fromInstant(this.#clock()))
    return intervalsOfPlan(rowsOf(plan.WeekPlanCfg)).some(({ from, to }) => minute >= from && minute < to)
  }

  #time(): string {
    return `${fromInstant(this.#clock()).replace(' ', 'T')}+08:00`
  }

  #record(code: number, more: JsonObject): void {
    this.#memory.addRecord({ major: 5, minor: code, time: this.#time(), ...more })
  }
}
