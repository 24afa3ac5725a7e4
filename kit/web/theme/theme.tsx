import { ConfigProvider, message, theme as algorithms, type ThemeConfig } from 'antd'
import zhCN from 'antd/locale/zh_CN'
import { useEffect, useLayoutEffect, useMemo, type ReactNode } from 'react'
import { hostToasts, type Toast } from '../toast.ts'
import { useLooks } from './appearance.ts'
import { dark, light, shared } from './tokens.ts'
import './base.css'

const merged = (a: ThemeConfig, b: ThemeConfig): ThemeConfig => {
  const names = new Set([...Object.keys(a.components ?? {}), ...Object.keys(b.components ?? {})]) as Set<never>
  return { token: { ...a.token, ...b.token }, components: Object.fromEntries([...names].map(n => [n, { ...(a.components?.[n] ?? {}), ...(b.components?.[n] ?? {}) }])) }
}
/** The library's theme for the looks in force; 高对比 draws its borders at 3:1. */
export function themeOf(looks: { readonly theme: 'light' | 'dark'; readonly contrast: boolean; readonly still: boolean }): ThemeConfig {
  const own = looks.theme === 'dark' ? dark : light, t = merged(shared, own), border = own.components?.Checkbox?.colorBorder
  return {
    ...t, cssVar: { prefix: 'a', key: 'anju' }, hashed: false,
    token: { ...t.token, ...(looks.contrast && border ? { colorBorder: border, colorBorderSecondary: border } : {}), ...(looks.still ? { motion: false } : {}) },
    algorithm: looks.theme === 'dark' ? algorithms.darkAlgorithm : algorithms.defaultAlgorithm,
  }
}

/** Everything drawn stands inside: theme, Chinese, toasts. */
export function Theme({ children }: { readonly children: ReactNode }) {
  const looks = useLooks(), { theme, contrast, still } = looks
  const config = useMemo(() => themeOf({ theme, contrast, still }), [theme, contrast, still])
  useLayoutEffect(() => {
    document.documentElement.dataset.theme = theme
    document.documentElement.dataset.contrast = contrast ? 'more' : 'normal'
  }, [theme, contrast])
  return (
    <ConfigProvider locale={zhCN} theme={config} button={{ autoInsertSpace: false }} variant="outlined" virtual>
      <Toasts />
      {children}
    </ConfigProvider>
  )
}

function Toasts() {
  const [api, holder] = message.useMessage({ maxCount: 3, top: 56 })
  useEffect(() => {
    hostToasts((t: Toast) => {
      const key = t.key ?? String(t.text)
      const undo = t.undo && <button type="button" className="linkish" style={{ marginInlineStart: 12 }} onClick={() => { api.destroy(key); void t.undo!() }}>撤销</button>
      void api.open({ key, type: t.kind, duration: t.seconds ?? 3, content: <span role={t.kind === 'error' ? 'alert' : 'status'}>{t.text}{undo}</span> })
    })
    return () => hostToasts(undefined)
  }, [api])
  return holder
}
