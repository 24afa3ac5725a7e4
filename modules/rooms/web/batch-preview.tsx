import { useEffect, useState } from 'react'
import { count } from '#kit/web/figure.tsx'
import { linesOf } from '#kit/web/pickers/choosing.ts'
import { useCall } from '#kit/web/query.ts'
import { unitWord } from '#modules/estates/web/public.tsx'
import { previewBatch, type Batch } from '../contract/room.ts'
import './rooms.css'

const needed = [
  'projectCode',
  'buildCode',
  'floorFrom',
  'floorTo',
  'perFloor',
  'roomType',
  'roomState',
] as const

const floorWord = (n: number): string => (n < 0 ? `B${-n}` : `${n}F`)
type Plan = NonNullable<typeof previewBatch.output.T>

/**
 * What the form means, before anything is written: so many new ones, so many that are there already and stay
 * as they are (BASE-3).
 */
export function BatchPreview({
  of,
  onFresh,
}: {
  readonly of: Partial<Batch>
  readonly onFresh: (n: number | undefined) => void
}) {
  const [asked, setAsked] = useState<Partial<Batch>>(of)
  const said = JSON.stringify(
    Object.fromEntries([...needed, 'unitNames'].map(k => [k, of[k as keyof Batch]])),
  )
  useEffect(() => {
    const t = setTimeout(() => setAsked(JSON.parse(said) as Partial<Batch>), 250)
    return () => clearTimeout(t)
  }, [said])
  const ready = needed.every(k => asked[k] !== undefined) && needed.every(k => typeof asked[k] !== 'object')
  const plan = useCall(previewBatch, asked as Batch, { enabled: ready, keep: true, quiet: true, fresh: 0 })
  const shown = ready ? plan.data : undefined
  useEffect(() => {
    onFresh(ready && !plan.isError ? plan.data?.fresh : undefined)
  }, [ready, plan.data, plan.isError, onFresh])
  if (!ready)
    return (
      <div className="batch-preview">
        <p>选好楼栋、楼层和每层户数后，这里列出将生成的房间</p>
      </div>
    )
  if (plan.isError)
    return (
      <div className="batch-preview">
        <p className="bad" role="alert">
          {plan.error.message || '预览没有算出来，请重试'}
        </p>
      </div>
    )
  if (!shown)
    return (
      <div className="batch-preview">
        <p>正在计算</p>
      </div>
    )
  return (
    <div className="batch-preview" role="status" aria-live="polite">
      <p>
        将新增 <b>{count(shown.fresh)}</b> 间，已存在 <b>{count(shown.existing)}</b> 间
        {shown.existing > 0 && '（保持原样，下面灰色）'}
        {shown.fresh + shown.existing > shown.rows.length && `；下面列出前 ${count(shown.rows.length)} 间`}
      </p>
      <div className="plan">
        {units(shown).map(([unit, rows]) => (
          <section key={unit}>
            <h4>{unitWord(unit)}</h4>
            {rows.map(([floor, cells]) => (
              <div className="plan-line" key={floor}>
                <span>{floor}</span>
                <div>
                  {cells.map(c => (
                    <i
                      key={c.roomNo}
                      className={c.exists ? 'there' : ''}
                      title={c.exists ? '已存在' : '将新增'}
                    >
                      {c.roomNo}
                    </i>
                  ))}
                </div>
              </div>
            ))}
          </section>
        ))}
      </div>
    </div>
  )
}

type Cell = Plan['rows'][number]

/** By unit, from the top floor down, by number. */
const units = (p: Plan): [string, [string, Cell[]][]][] =>
  [...Map.groupBy(p.rows, r => r.unitName)].map(([unit, rows]) => {
    const sorted = [...rows].sort(
      (a, b) => b.floorNum - a.floorNum || a.roomNo.localeCompare(b.roomNo, 'zh', { numeric: true }),
    )
    return [
      unit,
      linesOf(
        sorted.map(r => ({
          key: r.roomNo,
          label: r.roomNo,
          path: [],
          leaf: true,
          row: floorWord(r.floorNum),
          data: r,
        })),
      ).map(([f, ls]): [string, Cell[]] => [f, ls.map(l => l.data)]),
    ]
  })
