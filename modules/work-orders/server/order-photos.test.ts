import { afterAll, beforeAll, expect, it } from 'vitest'
import { defined } from '#kit/domain/defined.ts'
import type { Id } from '#kit/domain/id.ts'
import { sql } from '#kit/server/db.ts'
import { findOpenKeys } from '#kit/server/file-access.ts'
import { refusalTextOf } from '#kit/server/fixtures/refusal.ts'
import { createCallerLoader } from '#modules/accounts/server/public.ts'
import { acceptOrder, dispatchOrder, finishOrder } from '../contract/order-actions.ts'
import { editOrder, getOrder, registerOrder } from '../contract/order.ts'
import { listOrders } from '../contract/order-list.ts'
import { saveOrderRole } from '../contract/person-config.ts'
import { reportAtPlace, uploadResidentFile } from '../contract/resident.ts'
import { makeToken } from './resident-token.ts'
import { openOrderFixture, projectCode, type OrderFixture } from './order.fixtures.ts'

let w: OrderFixture
let token = ''

beforeAll(async () => {
  w = await openOrderFixture({ works: true })
  const { id } = defined(
    await w.t.database.reader(w.t.ownerId).one<{ id: Id }>(sql`
      select id from room where project_code = ${projectCode} and code = ${w.roomCode}
    `),
  )
  token = await makeToken(w.t.app, { kind: 'room', ownerId: w.t.ownerId, id })
})

afterAll(() => w?.close())

const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)

const image = () => ({ ...w.t.upload('photo.png', png), type: 'image/png' })

const report = (photos: readonly string[]) =>
  w.t.call(reportAtPlace, {
    token,
    typeId: w.typeOf('TS01').id,
    content: '楼道漏水',
    phone: '13800138000',
    photos,
  })

it('a resident puts their own photo into their report, and no other file of the company', async () => {
  const { key } = await w.t.call(uploadResidentFile, { token }, { upload: image() })
  const foreign = await w.t.app.files.save(w.t.ownerId, w.t.managerId, image())
  expect(await refusalTextOf(report([foreign]))).toContain('请重新上传')
  const made = await report([key])
  const [order] = (await w.t.call(listOrders, { projectCode, keyword: made.orderNo }, w.owner)).rows
  expect(order?.photos).toEqual([key])
  // An account that sees the order opens its photos; one that sees only its own orders does not.
  const load = createCallerLoader(w.t.database)
  const opens = async (managerId: Id) =>
    (await findOpenKeys(w.t.app, defined(await load(w.t.ownerId, managerId)), [key])).has(key)
  const [first, second] = [defined(w.handlers[0]), defined(w.handlers[1])]
  await w.t.call(
    saveOrderRole,
    { roleName: '只看本人', managerIds: [String(second.id)], visibility: 'own' },
    w.owner,
  )
  expect([await opens(first.id), await opens(second.id)]).toEqual([true, false])
})

it('service staff register videos up to 50 MB each, and change them later; who sees the order opens them', async () => {
  const save = (size: number) =>
    w.t.app.files.save(w.t.ownerId, w.t.managerId, {
      ...w.t.upload('leak.mp4', Buffer.alloc(size)),
      type: 'video/mp4',
    })
  const [small, other, large] = [await save(1000), await save(2000), await save(50 * 1024 * 1024 + 1)]
  const register = (videos: readonly string[]) =>
    w.t.call(
      registerOrder,
      {
        projectCode,
        typeId: w.typeOf('TS01').id,
        content: '楼道漏水',
        level: 'normal',
        address: '1栋门口',
        videos,
      },
      w.owner,
    )
  const order = await register([small])
  expect((await w.t.call(getOrder, { id: order.id }, w.owner)).videos).toEqual([small])
  const caller = await createCallerLoader(w.t.database)(w.t.ownerId, defined(w.handlers[0]).id)
  expect((await findOpenKeys(w.t.app, defined(caller), [small])).has(small)).toBe(true)
  expect(await refusalTextOf(register([large]))).toContain('视频不能超过 50 MB')
  const edited = await w.t.call(editOrder, { id: order.id, version: order.version, videos: [other] }, w.owner)
  expect(edited.videos).toEqual([other])
})

it('WO-1: as many photos of the result as the type asks for', async () => {
  const type = await w.addType({ photoCount: 2 })
  const order = await w.register({ typeId: type.id })
  const handler = defined(w.handlers[0])
  await w.t.call(dispatchOrder, { id: order.id, handlerId: handler.id }, w.dispatcher)
  await w.t.call(acceptOrder, { id: order.id }, handler.as)
  const keys = [
    await w.t.app.files.save(w.t.ownerId, handler.id, image()),
    await w.t.app.files.save(w.t.ownerId, handler.id, image()),
  ]
  expect(
    await refusalTextOf(
      w.t.call(finishOrder, { id: order.id, resultText: '已处理', photos: keys.slice(1) }, handler.as),
    ),
  ).toBe('完成该类型的工单至少上传 2 张照片')
  const done = await w.t.call(finishOrder, { id: order.id, resultText: '已处理', photos: keys }, handler.as)
  expect(done.resultPhotos).toEqual(keys)
})
