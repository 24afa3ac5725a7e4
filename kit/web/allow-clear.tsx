import { CloseCircleFilled } from '@ant-design/icons'

/**
 * `allowClear` of a box or a pull-down whose mark to clear it says what it does; the library's own says
 * nothing, or 「Clear」.
 */
export const allowClear = { clearIcon: <CloseCircleFilled aria-label="清除" />, label: '清除' } as const
