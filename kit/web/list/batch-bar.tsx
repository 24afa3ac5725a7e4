import { CloseOutlined } from '@ant-design/icons'
import type { ReactNode } from 'react'
import type { Permission } from '#kit/contract/call.ts'
import { count } from '../figure.tsx'
import { usePermission } from '../session.ts'
import { MoreVerbs, VerbButton, type Verb } from '../verb.tsx'
import { mostTicked, type Ticked } from './selection.ts'

/**
 * A deed on ticked rows. With `whole` it takes 选择全部 as filter, expected count and sum (BILL-1); without, ids
 * are fetched, 2,000 at most.
 */
export interface Batch<T, I = any> {
  readonly label: string
  readonly may?: Permission | undefined
  readonly icon?: ReactNode
  readonly danger?: boolean
  readonly whole?: boolean
  readonly why?: (t: Ticked<T, I>) => string | undefined
  /** Answering true (or a promise of it) says that these rows are done with: their ticks go. */
  readonly run: (t: Ticked<T, I>) => unknown
}

interface Props<T, I> {
  readonly batch: readonly Batch<T, I>[]
  readonly ticked: Ticked<T, I>
  readonly total: number
  readonly width: number
  readonly onWhole: (() => void) | undefined
  readonly onClear: () => void
  readonly gather: () => Promise<Ticked<T, I>>
}

/** Stands in the band of the toolbar while rows are ticked, so that nothing below moves. */
export function BatchBar<T, I>({ batch, ticked, total, width, onWhole, onClear, gather }: Props<T, I>) {
  const may = usePermission()
  const whole = ticked.whole !== undefined
  const verbs = batch
    .filter(b => may(b.may))
    .map((b): Verb => {
      const tooMany =
        whole && !b.whole && ticked.count > mostTicked
          ? `一次最多处理 ${count(mostTicked)} 条，请缩小筛选范围`
          : undefined
      return {
        label: b.label,
        icon: b.icon,
        danger: b.danger ?? false,
        why: tooMany ?? b.why?.(ticked),
        run: async () => {
          if ((await b.run(whole && !b.whole ? await gather() : ticked)) === true) {
            onClear()
          }
        },
      }
    })
  const safe = verbs.filter(v => !v.danger)
  const danger = verbs.filter(v => v.danger)
  const room = width >= 1000 ? 5 : width >= 800 ? 4 : 3
  return (
    <div className="toolbar batch" role="toolbar" aria-label="批量操作">
      <button type="button" className="plain" aria-label="取消勾选" title="取消勾选 Esc" onClick={onClear}>
        <CloseOutlined />
      </button>
      <b aria-live="polite">
        已选 {count(ticked.count)} 条{whole && '（全部）'}
      </b>
      {!whole && onWhole && total > ticked.count && (
        <button type="button" className="linkish" onClick={onWhole}>
          选择全部 {count(total)} 条
        </button>
      )}
      <span className="gap" />
      {safe.slice(0, room).map((v, i) => (
        <VerbButton key={v.label} verb={v} primary={i === 0} small />
      ))}
      <MoreVerbs verbs={safe.slice(room)} />
      <span className="spring" />
      {danger.slice(0, 1).map(v => (
        <VerbButton key={v.label} verb={v} small />
      ))}
      <MoreVerbs verbs={danger.slice(1)} />
    </div>
  )
}
