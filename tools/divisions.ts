/**
 * Writes kit/data/divisions-table.ts from the package @vant/area-data: `node tools/divisions.ts`. Run again
 * when the package is renewed.
 */
import { writeFileSync } from 'node:fs'
import { areaList } from '@vant/area-data'
import origin from '@vant/area-data/package.json' with { type: 'json' }

/** Misspelt in the source beside the right entry (苓雅区 710241). */
const misspeltCodes = ['710203']

/** Catch-all entries: every level of the address lookup has its own 其他. */
const catchAllName = /^其[它他]/

/** 工业园区 beside 苏州工业园区: the same zone a second time under a code of no standard. */
const isRepeat = (name: string, others: readonly string[]): boolean =>
  /^(经济|高新|工业|技术|产业|开发|园)+(技术)?(开发|园)?区$/.test(name) &&
  others.some(o => o !== name && o.endsWith(name))

/**
 * Provinces → cities → counties, each `code digits + name`; the six digits of a county are the three pairs on
 * its path.
 */
export function packDivisions(): { source: string; provinces: [string, string[]][] } {
  const entriesUnder = (list: Record<string, string>, prefix: string): [string, string][] =>
    Object.entries(list)
      .filter(([code]) => code.startsWith(prefix))
      .toSorted(([a], [b]) => Number(a) - Number(b))
  const provinces = entriesUnder(areaList.province_list, '').map(([p, province]): [string, string[]] => [
    p.slice(0, 2) + province,
    entriesUnder(areaList.city_list, p.slice(0, 2)).map(([c, city]) => {
      const all = entriesUnder(areaList.county_list, c.slice(0, 4))
      const names = all.map(([, name]) => name)
      const chosen = all.filter(
        ([code, name]) => !misspeltCodes.includes(code) && !catchAllName.test(name) && !isRepeat(name, names),
      )
      return [[c, city] as const, ...chosen.map(([code, name]) => [code, name] as const)]
        .map(([code, name], i) => code.slice(i === 0 ? 2 : 4, i === 0 ? 4 : 6) + name)
        .join('|')
    }),
  ])
  return { source: `${origin.name} ${origin.version} (${origin.license}, Youzan)`, provinces }
}

export const tableFile = new URL('../kit/data/divisions-table.ts', import.meta.url)

export const renderTable = (): string => {
  const { source, provinces } = packDivisions()
  return [
    `// Written by tools/divisions.ts from ${source}; not by hand.`,
    'export const provinces: readonly (readonly [string, readonly string[]])[] = [',
    ...provinces.map(province => `${JSON.stringify(province)},`),
    ']\n',
  ].join('\n')
}

if (import.meta.main) {
  writeFileSync(tableFile, renderTable())
}
