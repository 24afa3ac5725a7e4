import { defined } from '#kit/domain/defined.ts'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { resultCode } from '#kit/contract/wire.ts'
import { parseYuan } from '#kit/domain/money.ts'
import { refusalMessageOf, refusalOf } from '#kit/server/fixtures/refusal.ts'
import type { CallOptions } from '#kit/server/fixtures/test-app.ts'
import { castForTest } from '#kit/domain/fixtures.ts'
import { getMyMenus } from '#modules/accounts/contract/permission.ts'
import { getRoleMenuTree } from '#modules/accounts/contract/role.ts'
import { listParks } from '#modules/parking/contract/park.ts'
import { listRooms } from '#modules/rooms/contract/room.ts'
import { golden } from '#db/golden/golden-data.ts'
import { listApps, setAppEnabled } from '../contract/property-app.ts'
import { addAppOrder, addNodeOrder, addRenewal } from '../contract/order.ts'
import { addSeat, deleteSeats, editSeat, listSeats, getSeatCounts } from '../contract/call-seat.ts'
import {
  listProductCategories,
  listProducts,
  listProductTypes,
  getProduct,
  listProductCenter,
} from '../contract/product.ts'
import { expireSubscriptions } from './expiry.ts'
import { openProductFixtures, type ProductFixtures } from './products.fixtures.ts'

let { t, me, other, ownerId, getProductId, resetCompany, payOrder, loadCompany } =
  castForTest<ProductFixtures>({})

beforeAll(async () => {
  ;({ t, me, other, ownerId, getProductId, resetCompany, payOrder, loadCompany } =
    await openProductFixtures())
})

afterAll(() => t?.close())

describe('SEAT-1: seats of the service line', () => {
  const put = (seatNo: string, overrides: object = {}) =>
    t.call(addSeat, { seatNo, state: 'on', ...overrides }, me)
  it('no more in use than are open, also when four are added at once; one seat per account; expiry switches none off', async () => {
    await resetCompany(30, '2027-12-31')
    expect(await refusalMessageOf(put('8001'))).toBe('尚未开通呼叫坐席，请先到增值服务开通')
    expect((await t.call(listSeats, {}, me)).total).toBe(0)
    await payOrder(
      await t.call(addNodeOrder, { productId: getProductId('NODE-SEAT'), quantity: 2, months: 1 }, me),
      'wechat-60',
    )
    const results = await Promise.allSettled(['8001', '8002', '8003', '8004'].map(n => put(n)))
    expect(results.map(r => r.status).toSorted()).toEqual(['fulfilled', 'fulfilled', 'rejected', 'rejected'])
    expect(await t.call(getSeatCounts, undefined, me)).toEqual({ open: 2, used: 2 })
    const [a, b] = (await t.call(listSeats, {}, me)).rows
    const taken = await t.call(
      editSeat,
      {
        id: defined(a).id,
        version: defined(a).version,
        seatNo: defined(a).seatNo,
        state: 'on',
        managerId: t.managerId,
      },
      me,
    )
    expect(taken).toMatchObject({ managerName: '金一管理员' })
    expect(
      await refusalMessageOf(
        t.call(
          editSeat,
          {
            id: defined(b).id,
            version: defined(b).version,
            seatNo: defined(b).seatNo,
            state: 'on',
            managerId: t.managerId,
          },
          me,
        ),
      ),
    ).toBe('该账号已绑定其他坐席，请先解除')
    await expireSubscriptions(t.app, '2026-12-22')
    expect(await t.call(getSeatCounts, undefined, me)).toEqual({ open: 0, used: 2 })
    const off = await t.call(
      editSeat,
      { id: defined(b).id, version: defined(b).version, seatNo: defined(b).seatNo, state: 'off' },
      me,
    )
    expect(
      await refusalMessageOf(
        t.call(
          editSeat,
          { id: defined(b).id, version: off.version, seatNo: defined(b).seatNo, state: 'on' },
          me,
        ),
      ),
    ).toBe('尚未开通呼叫坐席，请先到增值服务开通')
    await t.call(deleteSeats, { ids: [String(defined(a).id)], reason: '不再使用' }, me)
    expect(await t.call(getSeatCounts, undefined, me)).toEqual({ open: 0, used: 0 })
  })
})

describe('PERM-2: rights meet the package', () => {
  const menusOf = async (caller: CallOptions): Promise<string[]> =>
    (await t.call(getMyMenus, undefined, caller)).map(m => m.menuCode)
  it('a module that was not taken is in no menu and its calls are refused, to the owner too; until it is paid or has expired', async () => {
    await resetCompany(20, '2027-12-31')
    await expireSubscriptions(t.app, '2026-11-21')
    // Nothing of the company has expired, so its modules were not recomputed; the renewal does that.
    await payOrder(
      await t.call(addRenewal, { productId: getProductId('STANDARD'), months: 1 }, me),
      'wechat-30',
    )
    expect((await loadCompany()).closedModules).toEqual(
      expect.arrayContaining(['companies', 'merchants', 'parking']),
    )
    await expect.poll(() => t.published.some(x => x.ownerId === ownerId && x.kind === 'rights')).toBe(true)
    const menus = await menusOf(me)
    expect(menus).toEqual(expect.arrayContaining(['estates', 'rooms', 'residents', 'accounts', 'products']))
    for (const m of ['parking', 'companies', 'merchants']) {
      expect(menus).not.toContain(m)
    }
    expect((await t.call(getRoleMenuTree, {}, me)).map(m => m.menuCode)).not.toContain('parking')
    const auditor = await t.signedInAs(golden.first.ofRole('auditor'), '')
    for (const caller of [me, auditor]) {
      const refusal = await refusalOf(t.call(listParks, {}, caller))
      expect([refusal.code, refusal.message]).toEqual([
        resultCode.forbidden,
        '公司未开通这项功能，请联系超级管理员 金一管理员开通',
      ])
      expect((await t.call(listRooms, { size: 1 }, caller)).total).toBeGreaterThan(0)
    }
    // The other company has it.
    expect((await t.call(listParks, {}, other)).total).toBeGreaterThan(0)

    const o = await t.call(addAppOrder, { productId: getProductId('APP-PARKING'), months: 1 }, me)
    expect(o).toMatchObject({ quantity: 2, amount: parseYuan('36.00') })
    expect(await t.call(getProduct, { id: getProductId('APP-PARKING') }, me)).toMatchObject({
      state: 'opening',
      orderNo: o.orderNo,
    })
    await payOrder(o, 'wechat-31')
    expect(await menusOf(me)).toContain('parking')
    expect((await t.call(listParks, {}, auditor)).total).toBeGreaterThan(0)
    expect((await t.call(listApps, undefined, me)).find(a => a.appCode === 'APP-PARKING')).toMatchObject({
      state: 'open',
      included: false,
      expireDate: '2026-12-21',
    })

    await t.call(setAppEnabled, { appCode: 'APP-PARKING', enabled: false }, me)
    expect(await menusOf(me)).not.toContain('parking')
    await t.call(setAppEnabled, { appCode: 'APP-PARKING', enabled: true }, me)
    expect(await menusOf(me)).toContain('parking')
    expect(
      await refusalMessageOf(t.call(setAppEnabled, { appCode: 'APP-BUSINESS', enabled: true }, me)),
    ).toBe('「企业与商户」尚未开通，请先在产品中心开通')

    await expireSubscriptions(t.app, '2026-12-22')
    await t.app.sessions.refresh(ownerId, 'all')
    expect((await refusalOf(t.call(listParks, {}, me))).code).toBe(resultCode.forbidden)
  })
  it('a company with all applications can switch one off; modules of no application stay', async () => {
    await resetCompany(30, '2027-12-31')
    expect(
      await refusalMessageOf(t.call(addAppOrder, { productId: getProductId('APP-BUSINESS'), months: 1 }, me)),
    ).toBe('当前版本已包含「企业与商户」，不需要另外开通')
    await t.call(setAppEnabled, { appCode: 'APP-BUSINESS', enabled: false }, me)
    expect((await loadCompany()).closedModules).toEqual(['companies', 'merchants'])
    expect(
      (await t.call(listProductCenter, { kinds: ['app'] }, me)).find(x => x.productCode === 'APP-BUSINESS'),
    ).toMatchObject({ state: 'off', enabled: false, included: true })
    await t.call(setAppEnabled, { appCode: 'APP-BUSINESS', enabled: true }, me)
    expect((await loadCompany()).closedModules).toEqual([])
  })
  it('RENEW-5: an expired company is marked and works on; a renewal makes it normal', async () => {
    await resetCompany(30, '2026-11-20')
    await expireSubscriptions(t.app, '2026-11-21')
    expect(await loadCompany()).toMatchObject({ state: 20 })
    expect((await t.call(listParks, {}, me)).total).toBeGreaterThan(0)
    await payOrder(
      await t.call(addRenewal, { productId: getProductId('PROFESSIONAL'), months: 1 }, me),
      'wechat-40',
    )
    expect(await loadCompany()).toMatchObject({ state: 10, expireDate: '2026-12-21' })
  })
})

describe('catalogue', () => {
  beforeEach(() => resetCompany(30, '2027-12-31'))
  it('offers what this installation has, by category, type and product (0§3)', async () => {
    const cats = await t.call(listProductCategories, undefined, me)
    expect(cats.map(c => c.catName)).toEqual(['软件版本', '应用', '增值服务', '智能设备'])
    const types = await t.call(listProductTypes, { catId: defined(cats[3]).id }, me)
    expect(types[0]).toMatchObject({
      typeCode: 'DEV_DOOR',
      typeName: '门禁设备',
      infs: ['韦根26/34', 'RS485', 'TCP/IP'],
    })
    expect((await t.call(listProducts, { productType: 'DEV_DOOR' }, me)).map(x => x.productName)).toEqual([
      '人脸门禁一体机',
      '二维码门禁读头',
    ])
    expect((await t.call(listProducts, { keyword: '车牌' }, me)).map(x => x.productName)).toEqual([
      '车牌识别一体机',
    ])
    const apps = await t.call(listApps, undefined, me)
    expect(apps.map(a => a.appCode)).toEqual(expect.arrayContaining(['APP-PARKING', 'APP-BUSINESS']))
    // Every module of an offered application is one that is here.
    for (const a of await t.call(listProductCenter, { kinds: ['app'] }, me)) {
      expect(a.modules?.length).toBeGreaterThan(0)
    }
  })
})
