import { useSyncExternalStore } from 'react'
import { useKept } from '../keep.ts'

/** What a person may choose under 外观. 高对比 keeps the light or dark of the system. */
export const appearances = { system: '跟随系统', light: '浅色', dark: '深色', contrast: '高对比' } as const
export type Appearance = keyof typeof appearances
export const densities = { normal: '标准', tight: '紧凑' } as const
export type Density = keyof typeof densities

const follow = (query: string) => {
  const media = matchMedia(query)
  return {
    watch: (then: () => void) => {
      media.addEventListener('change', then)
      return () => media.removeEventListener('change', then)
    },
    now: () => media.matches,
  }
}

const dark = follow('(prefers-color-scheme: dark)')
const contrast = follow('(prefers-contrast: more)')
const still = follow('(prefers-reduced-motion: reduce)')
const useFollowed = (m: ReturnType<typeof follow>): boolean => useSyncExternalStore(m.watch, m.now)

export const useAppearance = (): [Appearance, (a: Appearance) => void] =>
  useKept<Appearance>('appearance', 'system')

/** 列表密度: trees, pickers and tables inside details may be tight; paged lists keep their 44 px rows. */
export const useDensity = (): [Density, (d: Density) => void] => useKept<Density>('density', 'normal')

/** The looks in force. */
export function useLooks(): {
  readonly theme: 'light' | 'dark'
  readonly contrast: boolean
  readonly still: boolean
} {
  const [chosen] = useAppearance()
  const night = useFollowed(dark)
  const sharp = useFollowed(contrast)
  const calm = useFollowed(still)
  return {
    theme: chosen === 'light' || chosen === 'dark' ? chosen : night ? 'dark' : 'light',
    contrast: chosen === 'contrast' || sharp,
    still: calm,
  }
}
