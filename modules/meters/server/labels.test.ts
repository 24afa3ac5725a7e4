import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Blob } from '#kit/contract/shape.ts'
import type { As } from '#kit/server/ground/world.ts'
import { openGolden, type GoldenWorld } from '../../../db/golden/world.ts'
import { golden } from '../../../db/golden/fill.ts'
import { printLabels } from '../contract/device.ts'
import { faults, hands, refusal } from './ground.ts'
import { labelText } from './labels.ts'

let t: GoldenWorld
let me: As
let h: ReturnType<typeof hands>

beforeAll(async () => {
  t = await openGolden()
  me = await t.as(golden.first.owner)
  h = hands(t, me)
})

afterAll(() => t?.close())

const bytes = async (b: Blob): Promise<Buffer> => {
  const all: Uint8Array[] = []
  for await (const c of b.body as AsyncIterable<Uint8Array>) {
    all.push(c)
  }
  return Buffer.concat(all)
}

it('a sheet of labels holds one for each meter, eight rows of three a page, with fonts inside', async () => {
  const made = await Promise.all(
    Array.from({ length: 25 }, (_, i) =>
      h.meter({ location: i ? '管道井' : '位置很长很长很长很长很长很长很长很长的一只表' }),
    ),
  )
  const b = (await t.say(
    printLabels,
    { projectCode: 'GOLD0001', ids: made.map(m => String(m.id)), address: 'https://anju.example' } as never,
    me,
  )) as Blob
  const all = await bytes(b)
  expect([b.name, b.type, all.subarray(0, 5).toString()]).toEqual([
    '仪表二维码_20261121.pdf',
    'application/pdf',
    '%PDF-',
  ])
  expect((all.toString('latin1').match(/\/Type \/Page\b/g) ?? []).length).toBe(2)
  expect(all.toString('latin1')).toContain('FontFile')
  expect(all.length).toBeLessThan(400_000)
  expect(labelText('https://anju.example', { projectCode: 'GOLD0001', meterNo: 'T 1' })).toBe(
    'https://anju.example/intelligentMeter/checkmeter/mobilemeterreading?project=GOLD0001&meter=T%201',
  )
})

it('nothing to print, or a strange address, is said', async () => {
  expect(
    (await refusal(t.ask(printLabels, { projectCode: 'GOLD0001', keyword: 'ZZZZ' } as never, me))).message,
  ).toContain('没有符合条件')
  expect(
    await faults(
      t.ask(printLabels, { projectCode: 'GOLD0001', address: 'javascript:alert(1)' } as never, me),
    ),
  ).toEqual({ Address: expect.stringContaining('https') })
})
