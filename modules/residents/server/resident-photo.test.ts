import { faultTextsOf } from '#kit/server/fixtures/refusal.ts'
import { defined } from '#kit/domain/defined.ts'
import type { Id } from '#kit/domain/id.ts'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { sql } from '#kit/server/db.ts'
import type { CallOptions } from '#kit/server/fixtures/test-app.ts'
import { golden } from '#db/golden/golden-data.ts'
import { openGoldenApp, type GoldenApp } from '#db/golden/golden-app.ts'
import { listFaces, saveFace } from '../contract/card.ts'
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
  const made = await face(whole)
  expect(made.state).toBe('waiting')
  expect((await t.call(listFaces, { userId: p.id }, me)).rows.map(f => f.face)).toEqual([whole])
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
