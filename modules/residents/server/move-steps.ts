import type { Id } from '#kit/domain/id.ts'
import { defined } from '#kit/domain/defined.ts'
import type { Permission } from '#kit/contract/call.ts'
import type { Day } from '#kit/domain/day.ts'
import { Refused, resultCode, refuse, type FieldFault } from '#kit/contract/wire.ts'
import type { Db, Tx } from '#kit/server/db.ts'
import { hasPermission, type Scope } from '#kit/server/scope.ts'
import type { Room } from '#modules/rooms/contract/room.ts'
import type { MoveStep } from '../contract/move-step.ts'
import type { Residency } from '../contract/residency.ts'
import type { MoveKind } from '../contract/labels.ts'

export interface NewOwner {
  readonly id?: Id | undefined
  readonly name: string
  readonly isMain: boolean
  readonly isPayer: boolean
}

/**
 * A check-out, check-in, transfer or a company's leaving, of one room, as every module that has a part in it
 * sees it.
 */
export interface MoveContext {
  readonly kind: MoveKind
  readonly db: Db
  readonly scope: Scope
  readonly today: Day
  /** The day of leaving, of moving in, or BASE-17's T. */
  readonly day: Day
  readonly room: Room
  /** Residencies that end (check-out, transfer) or come back (check-in). */
  readonly residencies: readonly Residency[]
  /** Current residencies that stay. */
  readonly remaining: readonly Residency[]
  /** New owners (transfer). In a preview those whom nobody knows yet have no id. */
  readonly newOwners: readonly NewOwner[]
  /** New owners move in on that day. */
  readonly moveIn: boolean
  /** The company that leaves. */
  readonly company?: { readonly id: Id; readonly name: string } | undefined
  /** Nobody lives in the room afterwards. */
  readonly leavesEmpty: boolean
  /** The operator's answer to a step's question. */
  readonly answerOf: (key: string) => string | undefined
  readonly reason?: string | undefined
}

/** What is known when it is done: the new owner and payer of a transfer, in the transaction. */
export interface MoveApplyContext extends MoveContext {
  readonly tx: Tx
  readonly newOwner?: { readonly id: Id; readonly name: string } | undefined
}

export type MoveStepContent = Omit<MoveStep, 'key' | 'title'>

/**
 * One module's part of a move. `plan` tells what will happen, asks, or blocks the move; undefined where
 * nothing happens. `apply` does it in the transaction of the move, after the residencies have changed; `plan`
 * has run again there and does not block.
 */
export interface MoveStepProvider {
  readonly key: string
  readonly title: string
  /** Lower stands higher: people 0, money 100, keys 200, cars 300, meters 400, the room 900. */
  readonly order: number
  readonly kinds: readonly MoveKind[]
  /** Without this permission its lines are left out; it is applied all the same. */
  readonly needs?: Permission
  readonly plan: (move: MoveContext) => Promise<MoveStepContent | undefined>
  readonly apply?: (move: MoveApplyContext) => Promise<void>
}

const providers: MoveStepProvider[] = []

/** Called once, when a module is loaded. */
export const registerMoveStep = (provider: MoveStepProvider): void => {
  providers.push(provider)
  providers.sort((a, b) => a.order - b.order)
}

/** Errors for answers that no step of such a move asks for: the screen may be outdated. */
export const unknownAnswerFaults = (
  kind: MoveKind,
  answers: readonly { readonly key: string }[] | undefined,
): FieldFault[] =>
  (answers ?? []).flatMap((answer, i) =>
    providers.some(provider => provider.key === answer.key && provider.kinds.includes(kind))
      ? []
      : [{ Field: `Answers[${i}].Key`, Message: `没有「${answer.key}」这一项选择，请刷新后重新办理` }],
  )

/** The steps of a move, in order. */
export async function planMoveSteps(move: MoveContext): Promise<MoveStep[]> {
  const steps: MoveStep[] = []
  for (const provider of providers.filter(x => x.kinds.includes(move.kind))) {
    const content = await provider.plan(move)
    if (!content) continue
    const chosen = content.question && move.answerOf(provider.key)
    if (chosen !== undefined && !defined(content.question).options.some(o => o.value === chosen))
      return refuse(`「${defined(content.question).label}」没有「${chosen}」选项，请重新选择`)
    const shown = !provider.needs || hasPermission(move.scope, provider.needs)
    if (shown || content.blocks || content.question) {
      steps.push({ key: provider.key, title: provider.title, ...content, ...(shown ? {} : { lines: [] }) })
    }
  }
  return steps
}

/** Refuses a move that a step blocks, with all reasons at once. */
export async function assertMoveAllowed(move: MoveContext): Promise<void> {
  const blocked = (await planMoveSteps(move)).filter(step => step.blocks)
  if (blocked.length)
    throw new Refused(
      resultCode.refused,
      blocked.map(step => `${step.title}：${step.blocks}`).join('；'),
      blocked,
    )
}

export async function applyMove(move: MoveApplyContext): Promise<void> {
  for (const provider of providers) {
    if (provider.apply && provider.kinds.includes(move.kind)) {
      await provider.apply(move)
    }
  }
}
