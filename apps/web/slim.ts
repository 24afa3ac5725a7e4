import type { Permission } from '#kit/contract/call.ts'
import type { Nameplate, Screen } from '#kit/contract/module.ts'

/**
 * What a browser needs of a nameplate to draw the menu and to find its way; what else roles grant in the
 * module stays behind.
 */
export type Plate = Pick<Nameplate, 'name' | 'screens'>
type Right = readonly [key: string, label: string]

export interface Slim {
  readonly name: string
  readonly screens: readonly (Omit<Screen, 'needs'> & { readonly needs?: Right })[]
}

export const slim = (plates: readonly Plate[]): Slim[] =>
  plates.map(p => ({
    name: p.name,
    screens: p.screens.map(({ needs, ...s }) => ({
      ...s,
      ...(needs && { needs: [needs.key, needs.label] as const }),
    })),
  }))

const right = ([key, label]: Right): Permission => {
  const [module, menu, flag] = key.split('.') as [string, string, string]
  return { key, module, menu: `${module}.${menu}`, flag, label }
}

export const whole = (slim: readonly Slim[]): Plate[] =>
  slim.map(p => ({ name: p.name, screens: p.screens.map(s => ({ ...s, needs: s.needs && right(s.needs) })) }))
