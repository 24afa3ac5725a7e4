/** A province-level division, a city or a county of China with its six-digit code (GB/T 2260 form). */
export interface Division {
  readonly code: string
  readonly name: string
  readonly sub: readonly Division[]
}

/**
 * 0§9: a node of the address lookup; type 1 has a level below, 0 has none. Real divisions carry their code,
 * 请选择, 其他 and 海外 have none.
 */
export interface AddressNode {
  readonly name: string
  readonly type: 0 | 1
  readonly sub: readonly AddressNode[]
  readonly code?: string
}

let divisionsCache: Promise<readonly Division[]> | undefined

/**
 * All 34 province-level divisions, three levels deep, in the order of their codes. Read when first asked for:
 * 50 kB that most screens do not need.
 */
export const loadDivisions = (): Promise<readonly Division[]> =>
  (divisionsCache ??= import('./divisions-table.ts').then(file => unpackDivisions(file.provinces)))

function unpackDivisions(provinces: readonly (readonly [string, readonly string[]])[]): Division[] {
  return provinces.map(([province, cities]) => {
    const provinceCode = province.slice(0, 2)
    return {
      code: `${provinceCode}0000`,
      name: province.slice(2),
      sub: cities.map(city => {
        const [head = '', ...counties] = city.split('|')
        const cityCode = provinceCode + head.slice(0, 2)
        return {
          code: `${cityCode}00`,
          name: head.slice(2),
          sub: counties.map(county => ({
            code: cityCode + county.slice(0, 2),
            name: county.slice(2),
            sub: [],
          })),
        }
      }),
    }
  })
}

const leafNode = (name: string): AddressNode => ({ name, type: 0, sub: [] })

/** Each level begins with 请选择 and ends with 其他 (0§9). */
const withPlaceholders = (nodes: readonly AddressNode[]): AddressNode[] => [
  leafNode('请选择'),
  ...nodes,
  leafNode('其他'),
]
const toAddressNode = (d: Division): AddressNode =>
  d.sub.length
    ? { name: d.name, type: 1, sub: withPlaceholders(d.sub.map(toAddressNode)), code: d.code }
    : { ...leafNode(d.name), code: d.code }

let addressTreeCache: Promise<readonly AddressNode[]> | undefined

/** The address lookup of 0§9: 请选择, 34 province-level entries, 海外, 其他. */
export const loadAddressTree = (): Promise<readonly AddressNode[]> =>
  (addressTreeCache ??= loadDivisions().then(all =>
    withPlaceholders([...all.map(toAddressNode), leafNode('海外')]),
  ))

/**
 * The names on the way to a code, one to three of them: `440304` → 广东省, 深圳市, 福田区. Empty for an unknown code.
 */
export async function findDivisionNames(code: string): Promise<readonly string[]> {
  const province = (await loadDivisions()).find(p => p.code.slice(0, 2) === code.slice(0, 2))
  const city = province?.sub.find(c => c.code.slice(0, 4) === code.slice(0, 4))
  const way = [province, city, city?.sub.find(d => d.code === code)].filter(d => d !== undefined)
  return way.at(-1)?.code === code ? way.map(d => d.name) : []
}

/**
 * An address's last part as people are shown it: 北京市 twice is shown once, and a 省直辖县 heading is left away.
 */
export const formatPlaceName = (names: readonly string[]): string =>
  names
    .filter(
      (name, i) => name !== names[i - 1] && !(i === 1 && /^(省直辖县|自治区直辖县级行政区划|县)$/.test(name)),
    )
    .join('')
