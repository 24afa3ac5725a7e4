import { defined } from '#kit/domain/defined.ts'
import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { renderTable, tableFile } from '#tools/divisions.ts'
import {
  loadAddressTree,
  findDivisionNames,
  loadDivisions,
  formatPlaceName,
  type AddressNode,
} from './divisions.ts'

it('is what the tool writes', () => {
  expect(readFileSync(tableFile, 'utf8')).toBe(renderTable())
})

it('has 34 province-level divisions with unique codes that agree with their parents', async () => {
  const all = await loadDivisions()
  expect(all.length).toBe(34)
  const codes = all.flatMap(p => [p.code, ...p.sub.flatMap(c => [c.code, ...c.sub.map(d => d.code)])])
  expect(new Set(codes).size).toBe(codes.length)
  expect(codes.every(c => /^\d{6}$/.test(c))).toBe(true)
  for (const p of all) {
    expect(p.sub.length).toBeGreaterThan(0)
    for (const c of p.sub) {
      expect([c.code.slice(0, 2), c.sub.length > 0]).toEqual([p.code.slice(0, 2), true])
      expect(new Set(c.sub.map(d => d.name)).size).toBe(c.sub.length)
      for (const d of c.sub) {
        expect([d.code.slice(0, 4), d.name.startsWith('其')]).toEqual([c.code.slice(0, 4), false])
      }
    }
  }
})

it('names cities under provinces, municipalities, direct counties, 台湾, 香港, 澳门', async () => {
  const table: readonly (readonly [string, string])[] = [
    ['440304', '广东省深圳市福田区'],
    ['440000', '广东省'],
    ['110105', '北京市朝阳区'],
    ['500229', '重庆市城口县'],
    ['419001', '河南省济源市'],
    ['429021', '湖北省神农架林区'],
    ['659001', '新疆维吾尔自治区石河子市'],
    ['710108', '台湾省台北市士林区'],
    ['810102', '香港特别行政区香港岛湾仔区'],
    ['820202', '澳门特别行政区离岛嘉模堂区'],
    ['460302', '海南省三沙市西沙区'],
    ['441904', '广东省东莞市长安镇'],
    ['440399', ''],
    ['', ''],
  ]
  for (const [code, name] of table) {
    expect([code, formatPlaceName(await findDivisionNames(code))]).toEqual([code, name])
  }
})

it('is the lookup of 0§9: 请选择 first, 其他 last on every level, 海外 beside the provinces', async () => {
  const top = await loadAddressTree()
  expect(top.map(n => n.name).slice(-3)).toEqual(['澳门特别行政区', '海外', '其他'])
  expect(top.length).toBe(1 + 34 + 1 + 1)
  const walk = (level: readonly AddressNode[]): number => {
    expect([defined(level[0]).name, defined(level.at(-1)).name]).toEqual(['请选择', '其他'])
    for (const n of level) {
      expect(n.type).toBe(n.sub.length > 0 ? 1 : 0)
    }
    return level.length + level.filter(n => n.type === 1).reduce((sum, n) => sum + walk(n.sub), 0)
  }
  expect(walk(top)).toBeGreaterThan(3800)
})
