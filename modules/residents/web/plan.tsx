import { Radio } from 'antd'
import { useEffect, useState } from 'react'
import { Link } from 'react-router'
import { Skeleton } from '#kit/web/list/states.tsx'
import { useCall } from '#kit/web/query.ts'
import { Status } from '#kit/web/status.tsx'
import { planMove } from '../contract/move.ts'
import './residents.css'

export type Answers = readonly { readonly key: string; readonly value: string }[]
type Ask = NonNullable<typeof planMove.input.T>

/** What a move will do, module by module, and what still stands in its way (BASE-11, BASE-17); nothing is written. */
export function Plan({ ask, ready, wanted, answers, onAnswer }: { readonly ask: Ask; readonly ready: boolean; readonly wanted: string; readonly answers: Answers; readonly onAnswer: (a: Answers) => void }) {
  // Asked once the form rests: names are typed letter by letter.
  const now = JSON.stringify(ask), [rested, setRested] = useState(now)
  useEffect(() => { const t = setTimeout(() => setRested(now), 300); return () => clearTimeout(t) }, [now])
  const plan = useCall(planMove, { ...JSON.parse(rested) as Ask, ...(answers.length ? { answers: [...answers] } : {}) }, { enabled: ready, keep: true, quiet: true, fresh: 0 })
  if (!ready) return <p className="move-plan">{wanted}</p>
  if (plan.isError) return <p className="move-plan bad" role="alert">{plan.error.message}</p>
  if (!plan.data) return <div className="move-plan"><Skeleton rows={4} /></div>
  return (
    <section className="move-plan" aria-label="办理结果预览">
      <h3>{plan.data.title}：将会发生</h3>
      {plan.data.blocked && <p className="bad" role="alert">还不能办理，请先处理下面标出的事项</p>}
      {plan.data.steps.map(s => (
        <div className="move-step" key={s.key} data-blocks={s.blocks !== undefined}>
          <h4>{s.title}</h4>
          {s.blocks && <p className="bad"><Status tone="bad" bare>{s.blocks}</Status></p>}
          {s.lines.map((l, i) => <p key={i}>{l.to ? <Link to={l.to}>{l.label}</Link> : l.label} {l.value && <b>{l.tone ? <Status tone={l.tone} bare>{l.value}</Status> : l.value}</b>} {l.note && <small>{l.note}</small>}</p>)}
          {s.question && (
            <fieldset><legend>{s.question.label}</legend>
              <Radio.Group value={answers.find(a => a.key === s.key)?.value ?? s.question.value} onChange={e => onAnswer([...answers.filter(a => a.key !== s.key), { key: s.key, value: e.target.value as string }])} options={s.question.options.map(o => ({ value: o.value, label: o.note ? `${o.label}（${o.note}）` : o.label }))} />
            </fieldset>
          )}
        </div>
      ))}
    </section>
  )
}
