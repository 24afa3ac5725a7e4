import { defined } from '#kit/domain/defined.ts'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { sql } from '#kit/server/db.ts'
import type { CallOptions } from '#kit/server/fixtures/test-app.ts'
import { refusalOf } from '#kit/server/fixtures/refusal.ts'
import { openGoldenApp, type GoldenApp } from '#db/golden/golden-app.ts'
import { golden } from '#db/golden/golden-data.ts'
import { listRooms } from '#modules/rooms/contract/room.ts'
import {
  merchants,
  listOpenMerchants,
  merchantStaffs,
  importMerchants,
  findMerchantsByName,
  type Merchant,
} from '../contract/merchant.ts'

let t: GoldenApp
let me: CallOptions

beforeAll(async () => {
  t = await openGoldenApp({ works: true })
  me = await t.owner
})

afterAll(() => t?.close())

const readShop = async (i: number) =>
  defined((await t.call(listRooms, { buildCode: ['B3'], size: 20 }, me)).rows[i])

const createMerchant = (name: string, overrides: object = {}): Promise<Merchant> =>
  t.call(merchants.add, { projectCode: 'GOLD0001', name, state: 'open', ...overrides }, me)

it('keeps merchants with their shop; both path families are one call', async () => {
  const r = await readShop(0)
  const m = await createMerchant('老王面馆', {
    roomId: defined(r.id),
    category: '餐饮',
    contactName: '王师傅',
    contactPhone: '13600001111',
    creditLimit: 500_000,
  })
  expect(m).toMatchObject({ roomPath: r.path, balance: 0, creditLimit: 500_000 })
  expect(m.merchantNo).toMatch(/^SH\d{6}$/)
  expect(merchants.list.aliases).toContain('Merchant/Get')
  expect(merchants.delete.aliases).toContain('DELETE Merchant/Delete')
  for (const keyword of ['面馆', 'mianguan', 'lwmg', '1111', '王师']) {
    expect([keyword, (await t.call(merchants.list, { keyword }, me)).rows.map(x => x.name)]).toEqual([
      keyword,
      ['老王面馆'],
    ])
  }
  expect((await t.call(findMerchantsByName, { name: '面' }, me)).map(x => x.name)).toEqual(['老王面馆'])
  expect(defined((await t.call(merchants.list, { keyword: '老王' }, me)).sum).creditLimit).toBe(500_000)
  expect((await refusalOf(createMerchant('老王面馆'))).message).toBe('该项目已有同名商户')
  const far = defined(
    (
      await t.call(
        listRooms,
        { projectCode: 'GOLD0002', size: 1 },
        await t.signedInAs(golden.first.owner, 'GOLD0002'),
      )
    ).rows[0],
  )
  expect((await refusalOf(createMerchant('远店', { roomId: far.id }))).data).toEqual([
    { Field: 'RoomID', Message: `「${far.path}」不属于所选项目，请重新选择` },
  ])
  await t.call(
    merchants.edit,
    { id: m.id, version: m.version, projectCode: 'GOLD0001', name: '新王面馆', state: 'shut' },
    me,
  )
  expect((await t.call(listOpenMerchants, {}, me)).map(x => x.name)).not.toContain('新王面馆')
  expect(
    (
      await refusalOf(
        t.call(
          merchants.edit,
          { id: m.id, version: m.version, projectCode: 'GOLD0001', name: '又王', state: 'open' },
          me,
        ),
      )
    ).code,
  ).toBe(10005)
})

it('keeps their staff; a merchant can be deleted when nothing refers to it', async () => {
  const m = await createMerchant('花店')
  const s = await t.call(
    merchantStaffs.save,
    {
      projectCode: 'GOLD0001',
      merchantId: m.id,
      name: '店员甲',
      mobile: '13600002222',
      roleType: 'head',
      state: 'on',
    },
    me,
  )
  expect(
    (
      await refusalOf(
        t.call(
          merchantStaffs.save,
          {
            projectCode: 'GOLD0001',
            merchantId: m.id,
            name: '同号',
            mobile: '13600002222',
            roleType: 'clerk',
            state: 'on',
          },
          me,
        ),
      )
    ).message,
  ).toBe('该手机号已是本商户的员工')
  await t.call(
    merchantStaffs.save,
    {
      id: s.id,
      projectCode: 'GOLD0001',
      merchantId: m.id,
      name: '店员乙',
      roleType: 'cashier',
      state: 'on',
    },
    me,
  )
  expect(
    (await t.call(merchantStaffs.list, { merchantId: [String(m.id)] }, me)).rows.map(x => [
      x.name,
      x.roleType,
      x.mobile,
    ]),
  ).toEqual([['店员乙', 'cashier', undefined]])
  const go = () => t.call(merchants.delete, { ids: [String(m.id)], reason: '撤店' }, me)
  expect((await refusalOf(go())).message).toBe('商户「花店」不能删除：还有员工 1 个，请先处理')
  await t.database.tx('*', async tx => {
    await tx.execute(sql`update merchant_staff set delete_tag = 1 where merchant_id = ${m.id}`)
    await tx.execute(sql`update merchant set balance = 1.5 where id = ${m.id}`)
  })
  expect((await refusalOf(go())).message).toContain('未结清的余额 1 个')
  await t.database.tx('*', tx => tx.execute(sql`update merchant set balance = 0 where id = ${m.id}`))
  await go()
  expect((await refusalOf(t.call(merchants.get, { id: m.id }, me))).code).toBe(10004)
  expect(
    (
      await refusalOf(
        t.call(
          merchants.get,
          { id: (await createMerchant('别家不见')).id },
          await t.signedInAs(golden.second.owner),
        ),
      )
    ).code,
  ).toBe(10004)
})

it('imports merchants; a second time nothing is double', async () => {
  const r = await readShop(2)
  const csv = `商户名称,楼栋,单元,房号,联系人,电话,赊销额度\n导入甲,商业街,1,${r.roomNo},张三,13600003333,1000.50\n导入乙,商业街,1,999,,,\n导入丙,,,,李😀,,\n导入丁,,,,,,-1\n`
  const go = async () => {
    const seen = await t.call(
      importMerchants.post,
      { projectCode: 'GOLD0001' },
      {
        ...me,
        upload: {
          ...t.upload('商户.csv', new TextEncoder().encode(csv)),
          name: '商户.csv',
          type: 'text/csv',
        },
      },
    )
    return {
      seen,
      done: await t.waitForTask(
        defined(
          (
            await t.call(
              importMerchants.post,
              { projectCode: 'GOLD0001', importId: defined(seen.importId), mode: 'update' },
              me,
            )
          ).taskId,
        ),
      ),
    }
  }
  const first = await go()
  expect(defined(first.seen.errors).map(f => [f.line, f.column])).toEqual([
    [3, '房号'],
    [4, '联系人'],
    [5, '赊销额度'],
  ])
  expect(first.done).toMatchObject({ success: 1, fail: 3 })
  expect((await go()).done).toMatchObject({ success: 0, skipped: 1, fail: 3 })
  expect((await t.call(merchants.list, { keyword: '导入甲' }, me)).rows).toMatchObject([
    { roomPath: r.path, creditLimit: 100_050 },
  ])
})

it('an ended merchant is offered no more and keeps no staff; those of given ids are answered', async () => {
  const m = await createMerchant('将注销', { contactPhone: '13600004444' })
  const other = await createMerchant('另一家')
  const s = await t.call(
    merchantStaffs.save,
    {
      projectCode: 'GOLD0001',
      merchantId: m.id,
      name: '收银甲',
      mobile: '13600005555',
      roleType: 'cashier',
      state: 'on',
    },
    me,
  )
  await t.call(merchantStaffs.delete, { ids: [String(s.id)], reason: '离开了' }, me)
  expect((await t.call(merchantStaffs.list, { merchantId: [String(m.id)] }, me)).total).toBe(0)
  await t.call(
    merchants.edit,
    { id: m.id, version: m.version, projectCode: 'GOLD0001', name: '将注销', state: 'ended' },
    me,
  )
  expect((await t.call(findMerchantsByName, { name: '注销' }, me)).map(x => x.name)).toEqual([])
  expect(
    (
      await refusalOf(
        t.call(
          merchantStaffs.save,
          {
            projectCode: 'GOLD0001',
            merchantId: m.id,
            name: '迟到',
            roleType: 'clerk',
            state: 'on',
          },
          me,
        ),
      )
    ).message,
  ).toBe('商户「将注销」已注销，不能维护员工')
  // A new one may take the name of one that has ended.
  expect((await createMerchant('将注销')).name).toBe('将注销')
  expect(
    (await t.call(merchants.list, { ids: [String(m.id), String(other.id), 'x'] }, me)).rows
      .map(x => x.id)
      .toSorted((a, b) => a - b),
  ).toEqual([m.id, other.id])
  // Two clerks save the same one: the second sees that it has changed.
  const both = await Promise.allSettled(
    ['甲', '乙'].map(x =>
      t.call(
        merchants.edit,
        {
          id: other.id,
          version: other.version,
          projectCode: 'GOLD0001',
          name: `另一家${x}`,
          state: 'open',
        },
        me,
      ),
    ),
  )
  expect(both.map(x => x.status).toSorted()).toEqual(['fulfilled', 'rejected'])
  expect(both.find(x => x.status === 'rejected')).toMatchObject({ reason: { code: 10005 } })
})
