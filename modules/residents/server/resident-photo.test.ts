import { faultTextsOf, refusalTextOf } from '#kit/server/fixtures/refusal.ts'
import { defined } from '#kit/domain/defined.ts'
import type { Id } from '#kit/domain/id.ts'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { sql } from '#kit/server/db.ts'
import type { CallOptions } from '#kit/server/fixtures/test-app.ts'
import { golden } from '#db/golden/golden-data.ts'
import { openGoldenApp, type GoldenApp } from '#db/golden/golden-app.ts'
import { listFaces, listStaffFaces, saveFace, saveStaffFace } from '../contract/card.ts'
import { addFamily, addResident, editResident, getResident } from '../contract/resident.ts'

let t: GoldenApp
let me: CallOptions

beforeAll(async () => {
  t = await openGoldenApp({ works: true })
  me = await t.owner
})

afterAll(() => t?.close())
let fileCounter = 0

const saveFile = async (bytes: number, type = 'image/png'): Promise<string> => {
  const path = join(t.dir, `picture${++fileCounter}`)
  writeFileSync(path, Buffer.alloc(bytes, fileCounter))
  return t.app.files.save(t.ownerId, t.managerId, { name: `照片${fileCounter}.png`, type, path })
}

/** As much of a picture as names its size. */
const pngHead = (width: number, height: number): Buffer => {
  const bytes = Buffer.alloc(64)
  bytes.write('\x89PNG', 'latin1')
  bytes.writeUInt32BE(width, 16)
  bytes.writeUInt32BE(height, 20)
  return bytes
}

/** The same behind a table and the settings of a camera. */
const jpegHead = (width: number, height: number): Buffer => {
  const frame = Buffer.from([0xff, 0xc0, 0, 17, 8, height >> 8, height & 255, width >> 8, width & 255, 3])
  const settings = Buffer.concat([Buffer.from([0xff, 0xe1, 0x9c, 0x42]), Buffer.alloc(40_000)])
  const table = Buffer.from([0xff, 0xc4, 0, 4, 0, 0])
  return Buffer.concat([Buffer.from([0xff, 0xd8]), settings, table, frame, Buffer.alloc(9)])
}

const savePhoto = (bytes: Buffer): Promise<string> =>
  t.app.files.save(t.ownerId, t.managerId, { name: '人脸.jpg', type: 'image/jpeg', bytes })

const addWithPhoto = (photo: string) =>
  t.call(
    addResident,
    { homeProject: 'GOLD0001', name: '有照片', userType: 'person', state: 'normal', photo },
    me,
  )

it('takes a picture of 2,048 KB and refuses a byte more, what is no picture and what is not there, each at its field (0§5)', async () => {
  const whole = await saveFile(2048 * 1024)
  const tooLarge = await saveFile(2048 * 1024 + 1)
  const text = await saveFile(10, 'text/plain')
  const p = await addWithPhoto(whole)
  expect((await t.call(getResident, { id: p.id }, me)).photo).toBe(whole)
  expect(await faultTextsOf(addWithPhoto(tooLarge))).toEqual({
    PhotoUrl: '照片不能超过 2048 KB，请压缩后再上传',
  })
  expect(await faultTextsOf(addWithPhoto(text))).toEqual({ PhotoUrl: '照片只能是图片' })
  expect(await faultTextsOf(addWithPhoto('0'.repeat(40)))).toEqual({ PhotoUrl: '照片已过期，请重新上传' })
  const {
    homes: _,
    isBlock: __,
    estateName: ___,
    createTime: ____,
    updateTime: _____,
    wechatBind: _w,
    appBind: _a,
    source: _s,
    ...own
  } = p
  expect(await faultTextsOf(t.call(editResident, { ...own, photo: tooLarge }, me))).toEqual({
    PhotoUrl: '照片不能超过 2048 KB，请压缩后再上传',
  })
  // What has been there all along is not asked again.
  await t.call(editResident, { ...own, remark: '改备注' }, me)
  const face = (f: string) => t.call(saveFace, { projectCode: 'GOLD0001', userId: p.id, face: f }, me)
  expect(await faultTextsOf(face(tooLarge))).toEqual({ FaceUrl: '人脸照片不能超过 2048 KB，请压缩后再上传' })
  const made = await face(await savePhoto(pngHead(300, 400)))
  expect(made.state).toBe('waiting')
  expect((await t.call(listFaces, { userId: p.id }, me)).rows.map(f => f.face)).toEqual([made.face])
})

it('a face is JPG or PNG of enough pixels, whatever stands before its size', async () => {
  const p = await addWithPhoto(await saveFile(100))
  const face = (f: string) => t.call(saveFace, { projectCode: 'GOLD0001', userId: p.id, face: f }, me)
  expect(await faultTextsOf(face(await saveFile(2000, 'image/bmp')))).toEqual({
    FaceUrl: '人脸照片请用 JPG 或 PNG 图片',
  })
  for (const bytes of [pngHead(299, 400), jpegHead(299, 400)]) {
    expect(await faultTextsOf(face(await savePhoto(bytes)))).toEqual({
      FaceUrl: '照片为 299 × 400，宽和高都不能少于 300 像素，请重拍或换一张',
    })
  }
  expect((await face(await savePhoto(jpegHead(480, 640)))).state).toBe('waiting')
})

it('faces of colleagues are found by name, and by the end of their validity', async () => {
  const colleague = defined(
    await t.database.reader(t.ownerId).one<{ id: Id; name: string }>(sql`
      select id, name from staff where owner_id = ${t.ownerId} and state = 10 and delete_tag = 0 order by id limit 1
    `),
  )
  const draft = { projectCode: 'GOLD0001', staffId: colleague.id, endDate: '2099-01-01' } as const
  const made = await t.call(saveStaffFace, { ...draft, face: await savePhoto(pngHead(400, 400)) }, me)
  const ask = async (query: object) => (await t.call(listStaffFaces, query, me)).rows.map(face => face.id)
  expect(await ask({ keyword: colleague.name })).toContain(made.id)
  expect(await ask({ keyword: '查无此人' })).toEqual([])
  expect(await ask({ staffId: colleague.id, endsSoon: true })).toEqual([])
  const past = t.call(saveStaffFace, { ...made, endDate: '2026-01-01' }, me)
  expect(await faultTextsOf(past)).toEqual({ EndDate: '失效日期已过，请填写今天或以后的日期' })
  await t.database.tx(t.ownerId, tx =>
    tx.execute(sql`
      update face_key set end_date = '2026-01-01' where owner_id = ${t.ownerId} and id = ${made.id}
    `),
  )
  expect(await ask({ staffId: colleague.id, isExpired: true })).toEqual([made.id])
  expect(await ask({ staffId: colleague.id, state: ['waiting'] })).toEqual([])
})

it('a face is taken by the call of its holder’s kind, and nobody has more than three (ACS-1, 1§7, 2§3)', async () => {
  const person = await addWithPhoto(await savePhoto(pngHead(400, 400)))
  const draft = { projectCode: 'GOLD0001', userId: person.id }
  const photo = () => savePhoto(pngHead(400, 400))
  expect(await faultTextsOf(t.call(saveStaffFace, { ...draft, face: await photo() }, me))).toEqual({
    UserID: '住户的人脸请在「住户」中录入',
  })
  const add = async () => t.call(saveFace, { ...draft, face: await photo() }, me)
  const outcomes = await Promise.allSettled([add(), add(), add(), add(), add()])
  expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(3)
  const [first] = (await t.call(listFaces, { userId: person.id }, me)).rows
  const { id, version } = defined(first)
  const changed = await t.call(saveFace, { ...draft, id, version, face: await photo() }, me)
  expect(changed).toMatchObject({ id, state: 'waiting' })
  expect(await refusalTextOf(add())).toBe('该人员在本项目已有 3 张人脸，请修改或删除原有的人脸')
})

it('another company’s picture is not there', async () => {
  const theirs = defined(
    await t.database
      .reader('*')
      .one<{ ownerId: Id; id: Id }>(
        sql`select owner_id, id from manager where login_code = ${golden.second.owner}`,
      ),
  )
  const path = join(t.dir, 'theirs')
  writeFileSync(path, Buffer.alloc(10, 250))
  const key = await t.app.files.save(theirs.ownerId, theirs.id, { name: 'a.png', type: 'image/png', path })
  expect(await faultTextsOf(addWithPhoto(key))).toEqual({ PhotoUrl: '照片已过期，请重新上传' })
  expect(
    await faultTextsOf(
      t.call(
        addFamily,
        {
          projectCode: 'GOLD0001',
          roomIds: ['1'],
          people: [{ name: '家人', relation: 'owner', photo: key }],
        },
        me,
      ),
    ),
  ).toHaveProperty(['Users[0].PhotoUrl'])
})
