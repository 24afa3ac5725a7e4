import { Refused, resultCode } from '#kit/contract/wire.ts'
import type { App } from '#kit/server/app.ts'
import { countMissedPlate, isGuessing, type PlateGuess } from '#modules/parking-lanes/server/public.ts'

const tooMany = (): Refused =>
  new Refused(resultCode.rateLimited, '查询过于频繁，请十分钟后再试，或到岗亭缴费')

/** One answer for every plate with nothing to pay here: whether it is inside stays hidden. */
const nothingFound = (): Refused =>
  new Refused(resultCode.refused, '未查询到待缴费的车辆，请核对车牌；如有疑问请到岗亭')

export async function assertCanAsk(app: App, guess: PlateGuess): Promise<void> {
  if (await isGuessing(app, guess)) throw tooMany()
}

export async function missedPlate(app: App, guess: PlateGuess): Promise<Refused> {
  await countMissedPlate(app, guess)
  return nothingFound()
}
