import { ConfigProvider, theme as algorithms, type ThemeConfig } from 'antd'
import { useEffect, useMemo, useState, type ComponentType, type ReactNode } from 'react'
import zhCN from '../antd-locale.ts'
import { session } from '../session.ts'
import { onHostNeeded } from '../toast.ts'
import { useDocumentAppearance } from './appearance.ts'
import { darkTokens, lightTokens, sharedTokens } from './tokens.ts'
import { buttonConfig } from './button-config.tsx'
import './base.css'

const mergeThemes = (a: ThemeConfig, b: ThemeConfig): ThemeConfig => {
  const names = new Set([
    ...Object.keys(a.components ?? {}),
    ...Object.keys(b.components ?? {}),
  ]) as Set<never>
  return {
    token: { ...a.token, ...b.token },
    components: Object.fromEntries(
      [...names].map(n => [n, { ...(a.components?.[n] ?? {}), ...(b.components?.[n] ?? {}) }]),
    ),
  }
}

/** The library's theme for an appearance; 高对比 draws its borders at 3:1. */
export function themeOf(appearance: {
  readonly theme: 'light' | 'dark'
  readonly contrast: boolean
  readonly still: boolean
}): ThemeConfig {
  const themeTokens = appearance.theme === 'dark' ? darkTokens : lightTokens
  const themeConfig = mergeThemes(sharedTokens, themeTokens)
  const border = themeTokens.components?.Checkbox?.colorBorder
  return {
    ...themeConfig,
    cssVar: { prefix: 'a', key: 'anju' },
    hashed: false,
    token: {
      ...themeConfig.token,
      ...(appearance.contrast && border ? { colorBorder: border, colorBorderSecondary: border } : {}),
      ...(appearance.still ? { motion: false } : {}),
    },
    algorithm: appearance.theme === 'dark' ? algorithms.darkAlgorithm : algorithms.defaultAlgorithm,
  }
}

/** Everything is drawn inside: theme, Chinese, toasts. */
export function Theme({ children }: { readonly children: ReactNode }) {
  const appearance = useDocumentAppearance()
  const { theme, contrast, still } = appearance
  const config = useMemo(() => themeOf({ theme, contrast, still }), [theme, contrast, still])
  return (
    <ConfigProvider locale={zhCN} theme={config} button={buttonConfig} variant="outlined" virtual>
      <Toasts />
      {children}
    </ConfigProvider>
  )
}

const toastPreloadMs = 500

/** The toast area; its code is fetched once the first page of a session is drawn, else with a toast. */
function Toasts() {
  const [Place, setPlace] = useState<ComponentType>()
  useEffect(() => {
    const fetchToasts = (): void => {
      import('./toasts.tsx').then(
        m => setPlace(() => m.default),
        () => {
          /* fetched again with the next toast */
        },
      )
    }
    // Who has not signed in is on a phone, or signs in: the first toast fetches it.
    const timer = session.getState().signed ? setTimeout(fetchToasts, toastPreloadMs) : undefined
    const stop = onHostNeeded(fetchToasts)
    return () => {
      clearTimeout(timer)
      stop()
    }
  }, [])
  return Place && <Place />
}
