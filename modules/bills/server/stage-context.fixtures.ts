import type { Id } from '#kit/domain/id.ts'
import { asFen, type Fen } from '#kit/domain/money.ts'
import type { CallOptions } from '#kit/server/fixtures/test-app.ts'
import { payBills } from '#modules/payments/contract/payment.ts'
import type { GoldenApp } from '#db/golden/golden-app.ts'
import { seedFee, testScope, type SeededRoom } from './generate.fixtures.ts'
import type { ActionCase, Scene } from './action-stage.fixtures.ts'

export const today = '2026-11-21'
export const owedAmount = asFen(10_105)
export const reason = '核对后处理'

type SeededFee = Awaited<ReturnType<typeof seedFee>>

/** A project with its fees, before any room has a status. */
export interface StageContext {
  readonly t: GoldenApp
  readonly me: CallOptions
  readonly ownerId: Id
  readonly project: string
  readonly scope: ReturnType<typeof testScope>
  readonly fee: SeededFee
  readonly water: SeededFee
  readonly payerId: Id
  /** Bills a standard for November 2026, for one room or for all that have it. */
  readonly generate: (standardId: Id, room?: SeededRoom) => Promise<unknown>
}

export const byIds = (...list: readonly Id[]) => ({ ids: list.map(String), reason })

export const payInCash = (project: string, s: Scene, sum: Fen) =>
  [
    payBills,
    {
      projectCode: project,
      billIds: [String(s.bill)],
      expectAmount: sum,
      methods: [{ method: 'cash', amount: sum }],
    },
  ] as const

export function runAction(
  { t, me }: Pick<StageContext, 't' | 'me'>,
  action: ActionCase,
  scene: Scene,
): Promise<unknown> {
  const step = action.run(scene)
  return typeof step === 'function' ? step() : t.call(step[0], step[1], me)
}
