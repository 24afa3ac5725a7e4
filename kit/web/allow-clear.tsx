import { CloseCircleFilled } from '@ant-design/icons'

/**
 * `allowClear` of an input or select with a clear icon that has a Chinese label; the library's own has none,
 * or 「Clear」.
 */
export const allowClear = { clearIcon: <CloseCircleFilled aria-label="清除" />, label: '清除' } as const
