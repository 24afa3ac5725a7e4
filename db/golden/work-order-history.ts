import type { Id } from '#kit/domain/id.ts'
import { addDaysToMoment, addMinutes, type Moment } from '#kit/domain/moment.ts'
import type { OrderAction, OrderState } from '#modules/work-orders/domain/order-actions.ts'

interface Person {
  readonly id: Id
  readonly name: string
}

export interface PlannedStep {
  readonly action: OrderAction
  readonly to: OrderState
  readonly at: Moment
  readonly content?: string
  readonly person?: Person
  readonly by?: Person
  readonly isRequester?: boolean
}

type Move = readonly [action: OrderAction, to: OrderState]

/** What became of an order: its moves, and how it was rated. */
export interface Story {
  readonly moves: readonly Move[]
  readonly score?: number
  readonly isDefault?: boolean
}

const assigned: readonly Move[] = [
  ['register', 'waiting'],
  ['dispatch', 'dispatched'],
]
const accepted: readonly Move[] = [...assigned, ['accept', 'processing'], ['arrive', 'processing']]
const done: readonly Move[] = [...accepted, ['finish', 'unrated'], ['evaluate', 'completed']]

const stories: readonly Story[] = [
  { moves: done, score: 5 },
  { moves: done, score: 4 },
  { moves: [['register', 'waiting']] },
  { moves: done, score: 5, isDefault: true },
  { moves: accepted },
  {
    moves: [
      ...accepted,
      ['suspend', 'suspended'],
      ['resume', 'processing'],
      ['finish', 'unrated'],
      ['evaluate', 'completed'],
    ],
    score: 3,
  },
  { moves: assigned },
  { moves: done, score: 2 },
  { moves: [...accepted, ['suspend', 'suspended']] },
  {
    moves: [
      ...accepted,
      ['finish', 'checking'],
      ['checkReject', 'processing'],
      ['finish', 'checking'],
      ['checkPass', 'unrated'],
      ['evaluate', 'completed'],
    ],
    score: 4,
  },
  { moves: [...accepted, ['finish', 'checking']] },
  { moves: [...accepted, ['finish', 'unpaid']] },
  { moves: [...accepted, ['finish', 'unrated']] },
  { moves: [...assigned, ['close', 'closed']] },
  {
    moves: [
      ['register', 'pending'],
      ['auditRefuse', 'rejected'],
    ],
  },
  {
    moves: [
      ['register', 'waiting'],
      ['cancel', 'cancelled'],
    ],
  },
  { moves: [['register', 'pending']] },
  {
    moves: [
      ...assigned,
      ['deny', 'waiting'],
      ['dispatch', 'dispatched'],
      ['accept', 'processing'],
      ['expedite', 'processing'],
      ['finish', 'unrated'],
      ['evaluate', 'completed'],
    ],
    score: 4,
  },
  { moves: done, score: 5 },
  {
    moves: [
      ['register', 'waiting'],
      ['grab', 'processing'],
      ['finish', 'unrated'],
      ['evaluate', 'completed'],
    ],
    score: 5,
  },
]

const endedStories = (): Story[] => stories.filter(isOver)

/** The stories by turns; those alone that have ended, where no clock may run on. */
export const storyOf = (i: number, onlyEnded: boolean): Story => {
  const chosen = onlyEnded ? endedStories() : stories
  return chosen[i % chosen.length] ?? { moves: [['register', 'waiting']] }
}

const contents: { readonly [A in OrderAction]?: string } = {
  deny: '不在本区域，无法及时到场',
  suspend: '等待配件到货',
  finish: '已现场处理，恢复正常',
  checkReject: '问题仍然存在',
  close: '重复登记',
  auditRefuse: '不属于物业服务范围',
  cancel: '业主已自行处理',
  expedite: '请尽快处理',
}

const byRequester: ReadonlySet<OrderAction> = new Set([
  'expedite',
  'evaluate',
  'checkReject',
  'checkPass',
  'cancel',
])
const byHandler: ReadonlySet<OrderAction> = new Set([
  'accept',
  'grab',
  'deny',
  'arrive',
  'suspend',
  'resume',
  'finish',
])

const isOver = ({ moves }: Story): boolean =>
  ['completed', 'closed', 'rejected', 'cancelled'].includes(moves.at(-1)?.[1] ?? '')

/** The moves with times: ended orders lie up to 60 days back, open ones within the last two days. */
export function planHistory(
  story: Story,
  now: Moment,
  handler: Person,
  random: (n: number) => number,
): PlannedStep[] {
  const gaps = story.moves.map(() => 3 + random(random(4) ? 50 : 400))
  const length = gaps.reduce((sum, gap) => sum + gap, 0)
  const latest = addMinutes(now, -length)
  let at = isOver(story)
    ? addDaysToMoment(addMinutes(latest, -random(600)), -random(58))
    : addMinutes(latest, -random(900))
  return story.moves.map(([action, to], i) => {
    at = i ? addMinutes(at, gaps[i] ?? 1) : at
    const content = contents[action]
    return {
      action,
      to,
      at,
      ...(content ? { content } : {}),
      ...(action === 'dispatch' || action === 'grab' ? { person: handler } : {}),
      ...(byHandler.has(action) ? { by: handler } : {}),
      ...(byRequester.has(action) ? { isRequester: true } : {}),
    }
  })
}
