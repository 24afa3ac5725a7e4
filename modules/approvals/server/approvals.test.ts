import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { asId, type Id } from '#kit/domain/id.ts'
import { defined } from '#kit/domain/defined.ts'
import { asFen } from '#kit/domain/money.ts'
import { addDays, asDay } from '#kit/domain/day.ts'
import type { App } from '#kit/server/app.ts'
import { sql } from '#kit/server/db.ts'
import { openFiles } from '#kit/server/files.ts'
import { withFaultHook } from '#kit/server/fixtures/fault-injection.ts'
import { faultTextsOf, refusalOf, refusedTextsOf } from '#kit/server/fixtures/refusal.ts'
import { code } from '#kit/server/sql.ts'
import { saveDataDomain } from '#modules/accounts/contract/data-domain.ts'
import { managerType, resignManager } from '#modules/accounts/contract/manager.ts'
import { listNotifications } from '#modules/system/contract/notification.ts'
import { getWorkQueues } from '#modules/system/contract/work-queue.ts'
import { addDelegate, endDelegate, listOwnDelegates } from '../contract/delegate.ts'
import {
  addTaskSigner,
  approveRequest,
  commentRequest,
  previewRequest,
  reassignTask,
  refuseRequest,
  resubmitRequest,
  sendGeneralRequest,
  terminateRequest,
  transferTask,
  withdrawRequest,
} from '../contract/instance-actions.ts'
import { getInstance, listOwnInstances, processInstances } from '../contract/instance.ts'
import { listEditions, listKinds, processes, tryProcess, type FlowNode } from '../contract/process.ts'
import { menu } from '../module.ts'
import {
  amendedAmounts,
  contractKind,
  effects,
  nodeBy,
  openApprovalFixture,
  type ApprovalFixture,
  type Person,
} from './approval.fixtures.ts'
import { getOwnSignature, removeOwnSignature, saveOwnSignature } from '../contract/signature.ts'
import { sweepTimeouts } from './timeouts.ts'

let w: ApprovalFixture
let asker: Person
let first: Person
let second: Person
let third: Person

beforeAll(async () => {
  w = await openApprovalFixture()
  asker = w.person(0)
  first = w.person(1)
  second = w.person(2)
  third = w.person(3)
})

beforeEach(() => {
  effects.approved.length = 0
  effects.ended.length = 0
  effects.returned.length = 0
  effects.resubmitted.length = 0
  effects.refuses = false
})

afterAll(() => w?.close())

const detail = (id: Id, person: Person = asker) => w.t.call(getInstance, { id }, person.as)
const approve = (id: Id, person: Person) => w.t.call(approveRequest, { id }, person.as)
const waitsFor = async (person: Person): Promise<Id[]> =>
  (await w.t.call(listOwnInstances, { view: 'waiting', size: 100 }, person.as)).rows.map(row => row.id)
const two = (): FlowNode[] => [nodeBy('a', [first]), nodeBy('b', [second])]

describe('a request', () => {
  it('goes from node to node; its effect runs once, with the last approval (APR-1, APR-5)', async () => {
    await w.define(two())
    const id = await w.request(asker)
    expect(await waitsFor(first)).toContain(id)
    expect(await waitsFor(second)).not.toContain(id)
    await approve(id, first)
    expect(effects.approved).toEqual([])
    expect((await approve(id, second)).state).toBe('approved')
    expect(effects.approved).toHaveLength(1)
    expect(await refusalOf(approve(id, second))).toMatchObject({
      message: expect.stringContaining('不在你的待办'),
    })
    const { tasks, state, finishTime } = await detail(id)
    expect(tasks.map(task => [task.approverName, task.state])).toEqual([
      [first.name, 'approved'],
      [second.name, 'approved'],
    ])
    expect([state, finishTime !== undefined]).toEqual(['approved', true])
  })

  it('whose effect is refused is not approved (APR-5)', async () => {
    await w.define([nodeBy('a', [first])])
    const id = await w.request(asker)
    effects.refuses = true
    expect((await refusalOf(approve(id, first))).message).toBe('业务不允许')
    expect((await detail(id)).state).toBe('running')
    expect(await waitsFor(first)).toContain(id)
    effects.refuses = false
    await approve(id, first)
    expect(effects.approved).toHaveLength(1)
  })

  it('is seen by those who take part in it alone', async () => {
    await w.define([nodeBy('a', [first])])
    const id = await w.request(asker)
    expect((await detail(id, first)).actions).toEqual([
      'approve',
      'refuse',
      'transfer',
      'addSigner',
      'comment',
    ])
    expect((await detail(id)).actions).toEqual(['withdraw', 'comment'])
    expect((await refusalOf(detail(id, third))).message).toContain('不存在')
    expect((await refusalOf(approve(id, third))).message).toContain('不存在')
    const all = await w.t.call(processInstances.list, { size: 5 }, w.owner)
    expect(all.rows.map(row => row.id)).toContain(id)
  })

  it('rings the bell of those who are asked, and is in their workbench', async () => {
    await w.define([nodeBy('a', [first])], { copyTo: [String(third.id)] })
    const id = await w.request(asker)
    const { rows } = await w.t.call(listNotifications, { size: 5 }, first.as)
    expect(rows[0]).toMatchObject({
      title: `待审批：${asker.name} 来访`,
      link: expect.stringContaining(`id=${id}`),
    })
    const { queues } = await w.t.call(getWorkQueues, undefined, first.as)
    expect(queues.find(queue => queue.key === 'approvals.own')?.count).toBeGreaterThan(0)
    await approve(id, first)
    const copied = await w.t.call(listOwnInstances, { view: 'copied' }, third.as)
    expect(copied.rows.map(row => row.id)).toContain(id)
    expect((await detail(id, third)).copiedTo).toEqual([third.name])
  })
})

describe('signatures', () => {
  beforeAll(async () => {
    const app: { -readonly [K in keyof App]: App[K] } = w.t.app
    app.files = await openFiles(w.t.database, app.clock, w.t.dir)
  })

  const upload = (person: Person, type = 'image/png'): Promise<string> =>
    w.t.app.files.save(w.t.ownerId, person.id, { name: '签名.png', type, bytes: Buffer.from(type) })

  const sign = async (person: Person): Promise<string> => {
    const signature = await upload(person)
    await w.t.call(saveOwnSignature, { signature }, person.as)
    return signature
  }

  it('a decision keeps the signature of its day; without one it has none', async () => {
    await w.define(two())
    const id = await w.request(asker)
    const old = await sign(first)
    await approve(id, first)
    const drawn = await sign(first)
    expect((await w.t.call(getOwnSignature, {}, first.as)).signature).toBe(drawn)
    expect(await w.t.call(getOwnSignature, {}, second.as)).toEqual({})
    await approve(id, second)
    expect((await detail(id)).tasks.map(task => task.signature)).toEqual([old, undefined])
    const later = await w.request(asker)
    await approve(later, first)
    await w.t.call(removeOwnSignature, {}, first.as)
    const last = await w.request(asker)
    await approve(last, first)
    expect((await detail(later)).tasks[0]?.signature).toBe(drawn)
    expect((await detail(last)).tasks[0]?.signature).toBeUndefined()
  })

  it('of somebody else are neither kept as own nor put under a decision', async () => {
    await w.define([nodeBy('a', [first])])
    const id = await w.request(asker)
    const others = await sign(second)
    const foreign = [
      others,
      await upload(second),
      await upload(first, 'text/plain'),
      'f'.repeat(40),
      '/x.png',
    ]
    for (const signature of foreign) {
      expect(
        (await refusalOf(w.t.call(saveOwnSignature, { signature }, first.as))).message,
        signature,
      ).toMatch(/签名|无权使用/)
    }
    for (const signature of [others, '/x.png']) {
      expect(
        (await refusalOf(w.t.call(approveRequest, { id, signature }, first.as))).message,
        signature,
      ).toMatch(/签名|无权使用/)
    }
    const own = await sign(first)
    await w.t.call(approveRequest, { id, signature: own }, first.as)
    expect((await detail(id)).tasks[0]?.signature).toBe(own)
  })
})

describe('who may only look (PERM-1)', () => {
  it('is named nowhere as an approver, and decides nothing', async () => {
    const { loginCode, as } = await w.t.addClerk([menu.instance.permissions.view.key])
    const auditor: Person = { id: await idOf(loginCode), as, name: loginCode }
    // Somebody with the same rights who is no auditor can be named.
    await w.define([nodeBy('a', [auditor])])
    await w.t.database.tx('*', tx =>
      tx.execute(sql`
        update manager set manager_type = ${code(managerType, 'auditor')} where id = ${auditor.id}
      `),
    )
    const refused = async (work: Promise<unknown>) =>
      expect((await refusalOf(work)).message).toContain('只读')
    await refused(w.define([nodeBy('a', [auditor])]))
    await w.define([nodeBy('a', [first])])
    const id = await w.request(asker)
    const input = { id, to: auditor.id, opinion: '请看' }
    await refused(w.t.call(transferTask, input, first.as))
    await refused(w.t.call(addTaskSigner, input, first.as))
    const [task] = (await detail(id)).tasks
    const place = { taskId: defined(task?.id), to: auditor.id, reason: '出差' }
    await refused(w.t.call(reassignTask, place, w.owner))
    const span = { beginDate: asDay('2026-11-23'), endDate: asDay('2027-12-31') }
    await refused(w.t.call(addDelegate, { delegateId: auditor.id, ...span }, second.as))
    // Asked before the rights were taken away.
    await w.t.database.tx(w.t.ownerId, tx =>
      tx.execute(sql`update process_task set approver_id = ${auditor.id} where instance_id = ${id}`),
    )
    expect((await detail(id, auditor)).actions).toEqual(['comment'])
    await refused(approve(id, auditor))
    await refused(w.t.call(refuseRequest, { id, opinion: '不同意' }, auditor.as))
    expect((await detail(id)).state).toBe('running')
  })
})

describe('two at once', () => {
  it('of two who agree in the same instant in an any node one decides; the effect runs once', async () => {
    await w.define([nodeBy('a', [first, second, third], { mode: 'any' })])
    for (let i = 0; i < 5; i++) {
      const id = await w.request(asker)
      const outcomes = await Promise.allSettled([first, second, third].map(person => approve(id, person)))
      expect(outcomes.filter(o => o.status === 'fulfilled')).toHaveLength(1)
      expect(refusedTextsOf(outcomes)).toHaveLength(2)
    }
    expect(effects.approved).toHaveLength(5)
  })

  it('of two who agree in the same instant in an all node both count, and the effect runs once', async () => {
    await w.define([nodeBy('a', [first, second])])
    for (let i = 0; i < 5; i++) {
      const id = await w.request(asker)
      await Promise.all([first, second].map(person => approve(id, person)))
      expect((await detail(id)).state).toBe('approved')
    }
    expect(effects.approved).toHaveLength(5)
  })

  it('an approval against a withdrawal: one of them happens', async () => {
    await w.define([nodeBy('a', [first])])
    for (let i = 0; i < 5; i++) {
      const id = await w.request(asker)
      const outcomes = await Promise.allSettled([
        approve(id, first),
        w.t.call(withdrawRequest, { id }, asker.as),
      ])
      expect(outcomes.filter(o => o.status === 'fulfilled')).toHaveLength(1)
    }
    expect(effects.approved.length + effects.ended.length).toBe(5)
  })

  it('a decision broken between its statements leaves nothing half done; sent again it counts once', async () => {
    await w.define([nodeBy('a', [first])])
    const { app } = w.t as { readonly app: { database: App['database'] } }
    let broken = 0
    for (let at = 0; ; at++) {
      const id = await w.request(asker)
      effects.approved.length = 0
      const send = () => w.t.call(approveRequest, { id }, { ...first.as, uuid: `approval-${at}` })
      let remaining = at
      app.database = withFaultHook(w.t.database, tx => {
        if (tx && remaining-- === 0) throw new Error('the connection was cut')
      })
      const outcome = await send().then(
        () => 'done',
        () => 'broken',
      )
      app.database = w.t.database
      if (outcome === 'broken') {
        broken++
        expect([(await detail(id)).state, ...effects.approved]).toEqual(['running'])
        await send()
      }
      expect((await detail(id)).state).toBe('approved')
      await send()
      expect(effects.approved).toHaveLength(1)
      if (outcome === 'done') break
    }
    expect(broken).toBeGreaterThan(3)
  })
})

describe('refusal and withdrawal (APR-4)', () => {
  it('a refusal ends the request with its reason', async () => {
    await w.define(two())
    const id = await w.request(asker)
    await w.t.call(refuseRequest, { id, opinion: '材料不全' }, first.as)
    expect(effects.ended).toHaveLength(1)
    const { state, tasks } = await detail(id)
    expect([state, tasks[0]?.opinion]).toEqual(['refused', '材料不全'])
  })

  it('goes back to the requester, who sends it in again or gives up; earlier forms stay (APR-7)', async () => {
    await w.define(two())
    const id = await w.request(asker)
    await approve(id, first)
    await w.t.call(refuseRequest, { id, opinion: '请补充', refuseTo: 'requester' }, second.as)
    const own = await detail(id)
    expect([own.actions, own.amendLink]).toEqual([['resubmit', 'giveUp', 'comment'], undefined])
    const returned = await w.t.call(listOwnInstances, { view: 'returned' }, asker.as)
    expect(returned.rows).toMatchObject([{ id, isReturned: true }])
    const { queues } = await w.t.call(getWorkQueues, undefined, asker.as)
    expect(queues.find(queue => queue.key === 'approvals.returned')?.count).toBe(1)
    // Nobody is asked at present who could be replaced.
    expect((await w.t.call(getInstance, { id }, w.owner)).actions).toEqual(['terminate', 'comment'])
    expect((await refusalOf(w.t.call(withdrawRequest, { id }, asker.as))).message).toContain(
      '可重新提交或放弃',
    )
    await w.t.call(resubmitRequest, { id }, asker.as)
    const again = await detail(id)
    expect([again.round, again.forms.length, again.currentNode]).toEqual([2, 2, '节点a'])
    await w.t.call(refuseRequest, { id, opinion: '再补充', refuseTo: 'requester' }, first.as)
    await w.t.call(terminateRequest, { id, reason: '不再需要' }, asker.as)
    expect((await detail(id)).state).toBe('terminated')
    expect((await refusalOf(w.t.call(resubmitRequest, { id }, asker.as))).message).toContain('审批已结束')
  })

  it('goes in again as the record is now, under the edition of its time (APR-3, APR-4, APR-7)', async () => {
    const large = {
      conditions: [{ field: 'amount', operator: 'more' as const, value: '100' }],
    }
    await w.define([nodeBy('a', [first]), nodeBy('b', [second], large)])
    const id = await w.request(asker, asFen(5_000))
    await w.t.call(refuseRequest, { id, opinion: '请补报运费', refuseTo: 'requester' }, first.as)
    const { bizId } = await detail(id)
    expect(effects.returned).toEqual([`请补报运费 ${bizId}`])
    await w.define([nodeBy('c', [third])])
    amendedAmounts.set(defined(bizId), asFen(20_000))
    const form = JSON.stringify({ amount: '200.00' })
    const preview = { bizType: 'visitor' as const, instanceId: id, form }
    const { nodes } = await w.t.call(previewRequest, preview, asker.as)
    expect(nodes.map(node => [node.key, node.applies])).toEqual([
      ['a', true],
      ['b', true],
    ])
    expect((await refusalOf(w.t.call(previewRequest, preview, first.as))).message).toContain('申请人')
    expect((await refusalOf(w.t.call(resubmitRequest, { id, form }, asker.as))).message).toContain(
      '不能在此修改',
    )
    await w.t.call(resubmitRequest, { id }, asker.as)
    const again = await detail(id)
    expect([again.amount, again.round, again.forms.length, again.title]).toEqual([20_000, 2, 2, '来访 20000'])
    expect(again.forms.map(sent => sent.formLines.find(line => line.label === '金额')?.value)).toEqual([
      expect.stringContaining('50.00'),
      expect.stringContaining('200.00'),
    ])
    await approve(id, first)
    expect((await detail(id)).currentNode).toBe('节点b')
  })

  it('that needs nobody any more as it is now ends, and is left to its module', async () => {
    const large = {
      conditions: [{ field: 'amount', operator: 'more' as const, value: '100' }],
    }
    await w.define([nodeBy('a', [first], large)])
    const id = await w.request(asker, asFen(20_000))
    amendedAmounts.set(defined((await detail(id)).bizId), asFen(5_000))
    const early = await refusalOf(w.t.call(resubmitRequest, { id }, asker.as))
    expect([early.message, (await detail(id)).state]).toEqual(['审批已在进行，不能重复提交', 'running'])
    await w.t.call(refuseRequest, { id, opinion: '数量过多', refuseTo: 'requester' }, first.as)
    await w.t.call(resubmitRequest, { id }, asker.as)
    expect([(await detail(id)).state, effects.resubmitted, effects.ended, effects.approved]).toEqual([
      'terminated',
      ['notRequired'],
      [],
      [],
    ])
  })

  it('goes back to the node before', async () => {
    await w.define(two())
    const id = await w.request(asker)
    await approve(id, first)
    const back = await w.t.call(refuseRequest, { id, opinion: '请再核对', refuseTo: 'previous' }, second.as)
    expect(back.currentNode).toBe('节点a')
    expect(await waitsFor(first)).toContain(id)
  })

  it('is withdrawn only while no node has decided, and by its requester alone', async () => {
    await w.define(two())
    const id = await w.request(asker)
    expect((await refusalOf(w.t.call(withdrawRequest, { id }, first.as))).message).toContain('申请人')
    await w.t.call(withdrawRequest, { id }, asker.as)
    expect(effects.ended[0]).toContain('withdrawn')
    const other = await w.request(asker)
    await approve(other, first)
    expect((await refusalOf(w.t.call(withdrawRequest, { id: other }, asker.as))).message).toContain(
      '已有节点',
    )
  })
})

describe('who decides (APR-2, APR-6)', () => {
  it('nobody approves money that they asked for themselves', async () => {
    await w.define([nodeBy('a', [asker, first])], { bizType: 'contract' })
    const id = await w.request(asker, asFen(100), contractKind)
    expect((await detail(id)).tasks.map(task => task.approverName)).toEqual([first.name])
    await w.define([nodeBy('a', [asker])], { bizType: 'contract' })
    const other = await w.request(asker, asFen(100), contractKind)
    expect((await detail(other)).tasks.map(task => task.approverId)).toEqual([w.t.managerId])
  })

  it('conditions choose the nodes by the form (APR-1)', async () => {
    const conditions = [{ field: 'amount', operator: 'more' as const, value: '100.00' }]
    await w.define([nodeBy('a', [first]), nodeBy('b', [second], { conditions })])
    const small = await w.request(asker, asFen(10_000))
    expect((await approve(small, first)).state).toBe('approved')
    const large = await w.request(asker, asFen(10_001))
    expect((await approve(large, first)).state).toBe('running')
  })

  it('is transferred, signed by one more, and put into another place by an administrator', async () => {
    await w.define([nodeBy('a', [first])])
    const id = await w.request(asker)
    await w.t.call(transferTask, { id, to: second.id, opinion: '由你处理' }, first.as)
    await w.t.call(addTaskSigner, { id, to: third.id }, second.as)
    await approve(id, second)
    const open = (await detail(id)).tasks.find(task => task.state === 'waiting')
    await w.t.call(reassignTask, { taskId: open?.id ?? 0, to: first.id, reason: '原审批人请假' }, w.owner)
    expect((await approve(id, first)).state).toBe('approved')
    expect(effects.approved).toHaveLength(1)
  })

  it('a delegate decides for somebody from one day to another', async () => {
    await w.define([nodeBy('a', [first])])
    const today = asDay(new Date(w.t.app.clock() + 8 * 3_600_000).toISOString().slice(0, 10))
    const dates = { beginDate: today, endDate: addDays(today, 2) }
    const added = await w.t.call(addDelegate, { delegateId: second.id, ...dates }, first.as)
    expect(
      (await refusalOf(w.t.call(addDelegate, { delegateId: third.id, ...dates }, first.as))).data,
    ).toEqual([{ Field: 'BeginDate', Message: '这段日期已有委托，请先撤销或更换日期' }])
    const id = await w.request(asker)
    expect((await detail(id)).tasks[0]).toMatchObject({ approverId: second.id, principalName: first.name })
    await w.t.call(endDelegate, { id: added.id }, first.as)
    expect(await w.t.call(listOwnDelegates, {}, first.as)).toEqual([])
    await approve(id, second)
  })

  it('who does not decide in time is reminded, then the administrator decides', async () => {
    await w.define([nodeBy('a', [first])], { timeoutHours: 2 })
    const id = await w.request(asker)
    const late = (hours: number) =>
      w.t.database.tx(w.t.ownerId, tx =>
        tx.execute(sql`
          update process_task
          set due_time = ${new Date(w.t.app.clock() - hours * 3_600_000)}
          where owner_id = ${w.t.ownerId} and instance_id = ${id}
        `),
      )
    await late(1)
    await sweepTimeouts(w.t.app)
    const reminded = (await detail(id)).tasks[0]
    expect([reminded?.state, reminded?.remindTime !== undefined]).toEqual(['waiting', true])
    await late(1)
    await sweepTimeouts(w.t.app)
    expect((await detail(id)).tasks.map(task => [task.state, task.approverId])).toEqual([
      ['transferred', first.id],
      ['waiting', w.t.managerId],
    ])
  })

  it('who leaves hands over what waits for them (PERM-8)', async () => {
    const leaving = (await openLeaver()) satisfies Person
    await w.define([nodeBy('a', [leaving])])
    const id = await w.request(asker)
    await w.t.call(resignManager, { id: leaving.id, handTo: second.id, reason: '离职交接' }, w.owner)
    expect((await approve(id, second)).state).toBe('approved')
    // What waited for the one who left stays theirs, in the course of the request.
    expect((await detail(id)).tasks.map(task => [task.state, task.approverId, task.opinion])).toEqual([
      ['transferred', leaving.id, '离职交接'],
      ['approved', second.id, undefined],
    ])
  })

  it('a request that nobody could finish is refused when it is sent in, and the trial says so (APR-2)', async () => {
    const nodes = [nodeBy('a', [first]), nodeBy('b', [], { rule: 'departmentHead', levels: 1 })]
    await w.define(nodes, { bizType: 'contract' })
    const asOwner = { id: w.t.managerId, as: w.owner, name: '' }
    const refusal = await refusalOf(w.request(asOwner, asFen(100), contractKind))
    expect(refusal.message).toBe('「节点b」除申请人外没有可以审批的人，不能提交，请联系管理员调整审批流程')
    const tried = await w.t.call(
      tryProcess,
      {
        bizType: 'contract',
        nodes,
        emptyPolicy: 'administrator',
        skipsRepeated: true,
        applicantId: asOwner.id,
        form: JSON.stringify({ amount: '1.00' }),
      },
      w.owner,
    )
    expect(tried.nodes.map(node => [node.isRefused ?? false, node.note])).toEqual([
      [false, undefined],
      [true, refusal.message],
    ])
  })

  it('an approver who left after the request was sent in leaves words, and nothing half done', async () => {
    const leaving = await openLeaver()
    await w.define([nodeBy('a', [first]), nodeBy('b', [leaving])])
    const id = await w.request(asker)
    await w.t.call(resignManager, { id: leaving.id, handTo: second.id, reason: '离职交接' }, w.owner)
    expect((await approve(id, first)).currentNode).toBe('节点b')
    expect((await detail(id)).tasks.at(-1)?.approverId).toBe(w.t.managerId)
  })
})

async function idOf(loginCode: string): Promise<Id> {
  const found = await w.t.database
    .reader(w.t.ownerId)
    .one<{ id: Id }>(sql`select id from manager where login_code = ${loginCode}`)
  return found?.id ?? 0
}

async function openLeaver(): Promise<Person> {
  const { loginCode, as } = await w.t.addClerk([])
  return { id: await idOf(loginCode), as, name: loginCode }
}

describe('definitions (APR-3)', () => {
  it('a running request keeps its edition; the definition is not deleted under it', async () => {
    const process = await w.define([nodeBy('a', [first])])
    const id = await w.request(asker)
    const { id: processId, version } = process
    const edited = await w.t.call(
      processes.save,
      { ...process, id: processId, version, nodes: [nodeBy('a', [second]), nodeBy('b', [third])] },
      w.owner,
    )
    expect(edited.editionNo).toBe(2)
    const reason = '不再使用'
    expect(
      (await refusalOf(w.t.call(processes.delete, { ids: [String(processId)], reason }, w.owner))).message,
    ).toContain('1 个审批中的申请')
    expect((await approve(id, first)).state).toBe('approved')
    expect(await w.t.call(listEditions, { id: processId }, w.owner)).toHaveLength(2)
    await w.t.call(processes.delete, { ids: [String(processId)], reason }, w.owner)
    expect((await detail(id)).processName).toBe(process.processName)
  })

  it('does not let money pass without anybody (APR-2)', async () => {
    const refused = w.define([nodeBy('a', [first])], { bizType: 'contract', emptyPolicy: 'pass' })
    expect((await refusalOf(refused)).data).toEqual([
      { Field: 'EmptyPolicy', Message: '涉及资金的审批不能自动通过，请选择其他处理' },
    ])
  })

  it('is offered with what its kind refuses: money never passes by itself (APR-2)', async () => {
    const kinds = await w.t.call(listKinds, {}, w.owner)
    const limitsOf = (bizType: string) => {
      const kind = defined(kinds.find(each => each.bizType === bizType))
      return [kind.isMoney, kind.offersNoChoice]
    }
    expect(limitsOf('visitor')).toEqual([false, false])
    expect(limitsOf('contract')).toEqual([true, false])
    expect(limitsOf('refund')).toEqual([true, true])
    expect(limitsOf('general')).toEqual([false, false])
  })

  it('names no role, department or tag that is not there; what it names already stays', async () => {
    const faultsOf = async (node: Partial<FlowNode>) => faultTextsOf(w.define([nodeBy('a', [first], node)]))
    const unknown = ['990000001']
    expect(await faultsOf({ rule: 'role', roleIds: unknown })).toEqual({
      'NodesJson[0].RoleIDs': expect.stringContaining('角色不存在'),
    })
    expect(await faultsOf({ rule: 'group', departmentIds: unknown, tags: ['没有的标签'] })).toEqual({
      'NodesJson[0].DepartmentIDs': expect.stringContaining('部门不存在'),
      'NodesJson[0].Tags': expect.stringContaining('员工标签不存在'),
    })
    const process = await w.define([nodeBy('a', [first])])
    const group = [nodeBy('a', [first], { rule: 'group', departmentIds: unknown })]
    await w.t.database.tx(w.t.ownerId, tx =>
      tx.execute(sql`
        update process
        set nodes = ${JSON.stringify(group)}::jsonb
        where owner_id = ${w.t.ownerId} and id = ${process.id}
      `),
    )
    const renamed = { ...process, nodes: group, processName: '改名后的流程' }
    expect((await w.t.call(processes.save, renamed, w.owner)).processName).toBe('改名后的流程')
  })

  it('says what is wrong with it, at its field', async () => {
    const refused = await refusalOf(
      w.define([
        nodeBy('a', [], { conditions: [{ field: 'amount', operator: 'more', value: '很多' }] }),
        nodeBy('b', [first]),
      ]),
    )
    expect(refused.data).toEqual([
      { Field: 'NodesJson[0].ApproverKind', Message: '请选择审批人' },
      { Field: 'NodesJson[0].Conditions[0].Value', Message: '值应为金额的格式' },
    ])
    expect((await refusalOf(w.define([nodeBy('a', [first])], { bizType: 'scrap' }))).data).toEqual([
      { Field: 'BizType', Message: '该业务尚未启用审批，请选择其他业务' },
    ])
  })

  it('is tried with a sample form before it is saved', async () => {
    const conditions = [{ field: 'amount', operator: 'more' as const, value: '100' }]
    const { nodes } = await w.t.call(
      tryProcess,
      {
        bizType: 'visitor',
        nodes: [nodeBy('a', [first]), nodeBy('b', [second], { conditions })],
        emptyPolicy: 'administrator',
        skipsRepeated: true,
        applicantId: asker.id,
        form: JSON.stringify({ amount: '50.00' }),
      },
      w.owner,
    )
    expect(nodes.map(node => [node.applies, node.approvers.map(person => person.name)])).toEqual([
      [true, [first.name]],
      [false, []],
    ])
  })
})

describe('a general request', () => {
  const formFields = [
    { key: 'reason', label: '事由', fieldKind: 'text' as const, isRequired: true },
    {
      key: 'kind',
      label: '印章',
      fieldKind: 'choice' as const,
      isRequired: true,
      options: ['公章', '合同章'],
    },
  ]

  it('has the fields that the company drew, and approvers whom the requester chooses', async () => {
    const process = await w.define([nodeBy('a', [], { rule: 'requesterChoice' })], {
      bizType: 'general',
      formFields,
    })
    const form = JSON.stringify({ reason: '签合同', kind: '公章' })
    const { nodes } = await w.t.call(
      previewRequest,
      { bizType: 'general', processId: process.id, form },
      asker.as,
    )
    expect(nodes[0]).toMatchObject({ rule: 'requesterChoice', note: '由申请人选择' })
    const input = { processId: process.id, form }
    expect((await refusalOf(w.t.call(sendGeneralRequest, input, asker.as))).data).toEqual([
      { Field: 'Chosen', Message: '请选择「节点a」的审批人' },
    ])
    const bad = { ...input, form: JSON.stringify({ kind: '私章', other: 1 }) }
    expect((await refusalOf(w.t.call(sendGeneralRequest, bad, asker.as))).message).toContain('other')
    const chosen = [{ nodeKey: 'a', approverIds: [String(third.id)] }]
    const sent = await w.t.call(sendGeneralRequest, { ...input, chosen }, asker.as)
    await w.t.call(commentRequest, { id: sent.id, content: '已核对原件' }, third.as)
    await approve(sent.id, third)
    const read = await detail(sent.id)
    expect(read.formLines.map(line => [line.label, line.value])).toEqual([
      ['事由', '签合同'],
      ['印章', '公章'],
    ])
    expect(read.comments.map(comment => comment.content)).toEqual(['已核对原件'])
    expect(asId(sent.id)).toBe(read.id)
  })

  it('takes money as everywhere on the wire, and says at the field what it cannot read', async () => {
    const fields = [
      { key: 'cost', label: '费用', fieldKind: 'money' as const, isRequired: true },
      { key: 'days', label: '天数', fieldKind: 'number' as const, isRequired: false },
      { key: 'files', label: '凭证', fieldKind: 'files' as const, isRequired: false },
    ]
    const conditions = [{ field: 'cost', operator: 'atLeast' as const, value: '1000.00' }]
    const nodes = [nodeBy('a', [first]), nodeBy('b', [second], { conditions })]
    const process = await w.define(nodes, { bizType: 'general', formFields: fields })
    const send = (form: object, more: object = {}) =>
      w.t.call(sendGeneralRequest, { processId: process.id, form: JSON.stringify(form), ...more }, asker.as)
    const faultsOf = async (form: object, more?: object) => (await refusalOf(send(form, more))).data
    expect(await faultsOf({ cost: 'abc' })).toEqual([
      { Field: 'cost', Message: '费用应为数字，最多两位小数' },
    ])
    for (const cost of [1.5, 150_000, true, {}, ['1']]) {
      expect(await faultsOf({ cost })).toEqual([
        { Field: 'cost', Message: '费用应写成 "1500.00" 这样的文本' },
      ])
    }
    expect(await faultsOf({ cost: '1.00', days: {}, files: 'nobody' })).toEqual([
      { Field: 'days', Message: '天数格式不正确' },
    ])
    expect(await faultsOf({ cost: '1.00', files: 'nobody' })).toEqual([
      { Field: 'Attachments', Message: '附件与表单不一致，请重新上传' },
    ])
    expect(JSON.stringify(await faultsOf({ cost: '1.00' }, { attachments: ['nobody'] }))).toContain(
      '附件应写在表单的附件字段中',
    )
    const sent = await send({ cost: '1500.00' })
    expect(sent).toMatchObject({ amount: 150_000, form: '{"cost":"1500.00"}' })
    const read = await detail(sent.id)
    expect(read.formLines).toEqual([{ label: '费用', value: '1,500.00' }])
    expect(read.nextNodes.map(node => node.key)).toEqual(['b'])
  })

  it('with an amount is about money: its author does not pass it (APR-2)', async () => {
    const fields = [{ key: 'cost', label: '金额', fieldKind: 'money' as const, isRequired: true }]
    const overrides = { bizType: 'general' as const, formFields: fields }
    expect(
      (await refusalOf(w.define([nodeBy('a', [asker])], { ...overrides, emptyPolicy: 'pass' }))).message,
    ).toContain('涉及资金')
    const process = await w.define([nodeBy('a', [asker])], overrides)
    const form = JSON.stringify({ cost: '1500.00' })
    const sent = await w.t.call(sendGeneralRequest, { processId: process.id, form }, asker.as)
    expect(sent.state).toBe('running')
    expect(await waitsFor(asker)).not.toContain(sent.id)
  })

  it('is commented by those who take part, not by those who only look at the data', async () => {
    const process = await w.define([nodeBy('a', [first])], { bizType: 'general', formFields })
    const form = JSON.stringify({ reason: '签合同', kind: '公章' })
    const { id } = await w.t.call(sendGeneralRequest, { processId: process.id, form }, asker.as)
    const { as: auditor, loginCode } = await w.t.addClerk([menu.instance.permissions.view.key])
    expect((await w.t.call(getInstance, { id }, auditor)).actions).toEqual([])
    const comment = { id, content: '留意' }
    expect((await refusalOf(w.t.call(commentRequest, comment, auditor))).message).toContain('参与')
    await w.t.call(commentRequest, comment, first.as)
    // What belongs to no project belongs to the whole company.
    const restricted = {
      managerId: await idOf(loginCode),
      allProject: false,
      places: [{ projectCode: 'GOLD0001', buildCodes: [] }],
    }
    await w.t.call(saveDataDomain, restricted, w.owner)
    expect((await refusalOf(w.t.call(getInstance, { id }, auditor))).message).toContain('不存在')
  })

  it('keeps every form that was sent in (APR-7)', async () => {
    const process = await w.define([nodeBy('a', [first])], { bizType: 'general', formFields })
    const send = (reason: string) => JSON.stringify({ reason, kind: '公章' })
    const sent = await w.t.call(sendGeneralRequest, { processId: process.id, form: send('一') }, asker.as)
    await w.t.call(refuseRequest, { id: sent.id, opinion: '写清楚', refuseTo: 'requester' }, first.as)
    expect((await detail(sent.id)).amendPhoneLink).toContain(`again=${sent.id}`)
    expect((await detail(sent.id, first)).amendLink).toBeUndefined()
    await w.t.call(resubmitRequest, { id: sent.id, form: send('二') }, asker.as)
    const { forms, formLines } = await detail(sent.id)
    expect(forms.map(form => form.formLines[0]?.value)).toEqual(['一', '二'])
    expect(formLines[0]?.value).toBe('二')
  })
})
