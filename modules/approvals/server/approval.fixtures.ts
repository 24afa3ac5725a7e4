import { decimal, money, text } from '#kit/contract/field.ts'
import { refuse } from '#kit/contract/wire.ts'
import { defined } from '#kit/domain/defined.ts'
import { asId, type Id } from '#kit/domain/id.ts'
import type { Fen } from '#kit/domain/money.ts'
import { dayOfInstant, fromInstant } from '#kit/domain/moment.ts'
import { sql } from '#kit/server/db.ts'
import { clockScope } from '#kit/server/scope.ts'
import type { CallOptions } from '#kit/server/fixtures/test-app.ts'
import { openGoldenApp, type GoldenApp } from '#db/golden/golden-app.ts'
import { declareApprovalKind } from '../contract/kind.ts'
import { processes, type FlowNode, type Process } from '../contract/process.ts'
import { registerApprovalKind, requestApproval, resubmitApproval } from './public.ts'

const form = {
  amount: money('金额', { required: true }),
  days: decimal('天数'),
  note: text('事由', { max: 200 }),
}

export const visitKind = declareApprovalKind({ key: 'visitor', form })
export const contractKind = declareApprovalKind({ key: 'contract', form, isMoney: true })

/** What the kinds of the tests have done, once it was committed, and whether their effect refuses. */
export const effects = {
  approved: [] as Id[],
  ended: [] as string[],
  returned: [] as string[],
  /** How requests went in again. */
  resubmitted: [] as string[],
  refuses: false,
}

/** What records of the tests say now, where they were amended. */
export const amendedAmounts = new Map<Id, Fen>()

for (const kind of [visitKind, contractKind]) {
  registerApprovalKind(kind, {
    onApproved: ({ tx }, { bizId }) => {
      if (effects.refuses) refuse('业务不允许')
      tx.onCommit(() => effects.approved.push(bizId))
      return Promise.resolve()
    },
    onEnded: ({ tx }, { bizId }, how) => {
      tx.onCommit(() => effects.ended.push(`${how} ${bizId}`))
      return Promise.resolve()
    },
    onReturned: ({ tx }, { bizId, opinion = '' }) => {
      tx.onCommit(() => effects.returned.push(`${opinion} ${bizId}`))
      return Promise.resolve()
    },
    resubmit: async (c, { bizId, form: sent }, chosen) => {
      const amount = amendedAmounts.get(bizId) ?? sent.amount
      const again = { bizId, title: `来访 ${amount}`, form: { ...sent, amount }, chosen }
      const how = await resubmitApproval(c, kind, again)
      c.tx.onCommit(() => effects.resubmitted.push(how))
    },
  })
}

export interface Person {
  readonly id: Id
  readonly as: CallOptions
  readonly name: string
}

export interface ApprovalFixture {
  readonly t: GoldenApp
  readonly owner: CallOptions
  readonly people: readonly Person[]
  readonly person: (n: number) => Person
  readonly define: (nodes: readonly FlowNode[], overrides?: Partial<Process>) => Promise<Process>
  readonly request: (person: Person, amount?: Fen, kind?: typeof visitKind) => Promise<Id>
  readonly close: () => Promise<void>
}

let bizCount = 0
let processCount = 0

export const nodeBy = (key: string, people: readonly Person[], more: Partial<FlowNode> = {}): FlowNode => ({
  key,
  name: `节点${key}`,
  rule: 'people',
  managerIds: people.map(({ id }) => String(id)),
  mode: 'all',
  refuseTo: 'end',
  ...more,
})

async function addPeople(t: GoldenApp, count: number): Promise<Person[]> {
  const people = []
  for (let i = 0; i < count; i++) {
    const { loginCode, as } = await t.addClerk([])
    const found = await t.database
      .reader(t.ownerId)
      .one<{ id: Id }>(sql`select id from manager where login_code = ${loginCode}`)
    people.push({ id: defined(found).id, as, name: loginCode })
  }
  return people
}

export async function openApprovalFixture(count = 4): Promise<ApprovalFixture> {
  const t = await openGoldenApp()
  const owner = await t.owner
  const people = await addPeople(t, count)
  return {
    t,
    owner,
    people,
    person: n => defined(people[n]),
    define: async (nodes, overrides = {}) => {
      await t.database.tx(t.ownerId, tx =>
        tx.execute(sql`update process set state = 20 where owner_id = ${t.ownerId}`),
      )
      return t.call(
        processes.save,
        {
          bizType: 'visitor',
          processName: `流程 ${++processCount}`,
          nodes,
          emptyPolicy: 'administrator',
          skipsRepeated: true,
          state: 'on',
          ...overrides,
        },
        owner,
      )
    },
    request: (person, amount = 0, kind = visitKind) =>
      t.database.tx(t.ownerId, async tx => {
        const scope = { ...clockScope(t.app, t.ownerId), operatorId: person.id, name: person.name }
        const moment = t.app.clock()
        const c = { tx, scope, app: t.app, now: fromInstant(moment), today: dayOfInstant(moment) }
        const request = { bizId: asId(++bizCount), title: `${person.name} 来访`, form: { amount } }
        return (await requestApproval(c, kind, request)).id
      }),
    close: () => t.close(),
  }
}
