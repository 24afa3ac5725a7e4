import { useLayoutEffect, useSyncExternalStore } from 'react'
import { useStored } from '../browser-store.ts'

/** What a person may choose under 外观. 高对比 keeps the light or dark of the system. */
export const appearances = { system: '跟随系统', light: '浅色', dark: '深色', contrast: '高对比' } as const
export type Appearance = keyof typeof appearances
export const densities = { normal: '标准', tight: '紧凑' } as const
export type Density = keyof typeof densities

const mediaQuery = (query: string) => {
  const media = matchMedia(query)
  return {
    watch: (listener: () => void) => {
      media.addEventListener('change', listener)
      return () => media.removeEventListener('change', listener)
    },
    now: () => media.matches,
  }
}

const prefersDark = mediaQuery('(prefers-color-scheme: dark)')
const prefersContrast = mediaQuery('(prefers-contrast: more)')
const prefersReducedMotion = mediaQuery('(prefers-reduced-motion: reduce)')
const useMediaQuery = (query: ReturnType<typeof mediaQuery>): boolean =>
  useSyncExternalStore(query.watch, query.now)

export const useAppearance = (): [Appearance, (a: Appearance) => void] =>
  useStored<Appearance>('appearance', 'system')

/** 列表密度: trees, pickers and tables inside details may be tight; paged lists keep their 44 px rows. */
export const useDensity = (): [Density, (d: Density) => void] => useStored<Density>('density', 'normal')

/** The appearance in force: the person's choice, else the system's. */
export function useAppliedAppearance(): {
  readonly theme: 'light' | 'dark'
  readonly contrast: boolean
  readonly still: boolean
} {
  const [chosen] = useAppearance()
  const systemDark = useMediaQuery(prefersDark)
  const moreContrast = useMediaQuery(prefersContrast)
  const lessMotion = useMediaQuery(prefersReducedMotion)
  return {
    theme: chosen === 'light' || chosen === 'dark' ? chosen : systemDark ? 'dark' : 'light',
    contrast: chosen === 'contrast' || moreContrast,
    still: lessMotion,
  }
}

/** The same, written on the document, where the styles read it. */
export function useDocumentAppearance(): ReturnType<typeof useAppliedAppearance> {
  const appearance = useAppliedAppearance()
  const { theme, contrast } = appearance
  useLayoutEffect(() => {
    document.documentElement.dataset.theme = theme
    document.documentElement.dataset.contrast = contrast ? 'more' : 'normal'
  }, [theme, contrast])
  return appearance
}
