import { defined } from '#kit/domain/defined.ts'
import { Button, Steps } from 'antd'
import { useMemo, useState } from 'react'
import { useNavigate, useSearchParams } from 'react-router'
import { formatCount } from '#kit/web/numbers.tsx'
import { FormFields } from '#kit/web/form/form-fields.tsx'
import { useForm } from '#kit/web/form/use-form.ts'
import { RowSkeleton, ErrorState, errorText } from '#kit/web/list/list-states.tsx'
import { useCall, useSend } from '#kit/web/query.ts'
import { Status } from '#kit/web/status.tsx'
import { useTab, useTabTitle } from '#kit/web/tab.ts'
import { today } from '#kit/web/date-format.ts'
import type { MoveStep } from '#modules/residents/contract/move.ts'
import { MovePlanChoices, MovePlanSteps } from '#modules/residents/web/public.tsx'
import { moveOutCompany, getCompany, previewMoveOut, type Company } from '../contract/company.ts'
import { baseKeyOf, roomIdOfKey, withAnswer } from '../domain/room-answers.ts'
import { paths } from '../module.ts'
import './companies.css'

type MoveAnswers = readonly { readonly key: string; readonly value: string }[]

type MoveOutInput = Pick<NonNullable<typeof moveOutCompany.input.T>, 'outDate' | 'reason'>

const groups = [{ keys: ['outDate', { key: 'reason', help: '2–200 个字，会记在企业和房间的变更里' }] }]
const fieldKeys = ['outDate', 'reason']
const stepItems = ['日期与原因', '核对', '完成'].map(title => ({ title }))

function InputStep({
  said,
  onNext,
  onCancel,
}: {
  readonly said: MoveOutInput | undefined
  readonly onNext: (s: MoveOutInput) => void
  readonly onCancel: () => void
}) {
  const initial = useMemo(() => said ?? { outDate: today() }, [])
  const form = useForm({ shape: moveOutCompany.input, keys: fieldKeys, initial })
  const next = (): void => {
    if (form.validate()) {
      onNext(form.readValues() as unknown as MoveOutInput)
    }
  }
  return (
    <div
      ref={form.root}
      className="move-out-ask"
      onKeyDown={e => {
        if (e.key === 'Enter' && (e.ctrlKey || e.metaKey) && !e.nativeEvent.isComposing) {
          e.preventDefault()
          next()
        }
      }}
    >
      <FormFields
        form={form}
        fields={moveOutCompany.input.fields}
        groups={groups}
        name="move-out"
        columns={1}
      />
      <footer>
        <Button type="primary" onClick={next}>
          下一步
        </Button>
        <Button onClick={onCancel}>取消</Button>
      </footer>
    </div>
  )
}

/** Questions that several rooms ask: answered once for all of them. */
function SharedQuestions({
  steps,
  answers,
  onAnswer,
}: {
  readonly steps: readonly MoveStep[]
  readonly answers: MoveAnswers
  readonly onAnswer: (key: string, value: string) => void
}) {
  const asked = [
    ...Map.groupBy(
      steps.filter(s => s.question),
      s => s.key,
    ).values(),
  ].filter(all => all.length > 1)
  if (!asked.length) return null
  return (
    <section className="move-plan">
      <h3>全部房间</h3>
      {asked.map(([s]) => (
        <div className="move-step" key={defined(s).key}>
          <fieldset>
            <legend>{defined(defined(s).question).label}</legend>
            <MovePlanChoices
              of={defined(s)}
              value={answers.find(a => a.key === defined(s).key)?.value}
              onAnswer={onAnswer}
            />
          </fieldset>
        </div>
      ))}
    </section>
  )
}

function ReviewStep({
  of,
  said,
  onBack,
  onDone,
}: {
  readonly of: Company
  readonly said: MoveOutInput
  readonly onBack: () => void
  readonly onDone: (rooms: number, workers: number) => void
}) {
  const [answers, setAnswers] = useState<MoveAnswers>([])
  const plan = useCall(
    previewMoveOut,
    { id: of.id, outDate: said.outDate, ...(answers.length ? { answers: [...answers] } : {}) },
    { keepPrevious: true, quiet: true, staleMs: 0 },
  )
  const go = useSend(moveOutCompany, { quiet: true })
  const [trouble, setTrouble] = useState<string>()
  const p = plan.data
  const left = p ? p.rooms.filter(r => r.steps.some(s => s.blocks)).length : 0
  const words = (e: unknown): string => {
    const w = errorText(e)
    return [w.words, w.more].filter(Boolean).join('，')
  }
  const why = !p
    ? plan.isError
      ? '没有读到办理预览'
      : '正在读取'
    : p.blocked
      ? `还有 ${left} 个房间不能办理，请先处理标出的事项`
      : undefined
  const submit = async (): Promise<void> => {
    setTrouble(undefined)
    try {
      await go.mutateAsync({ id: of.id, ...said, answers: [...answers] })
      onDone(defined(p).rooms.length, defined(p).workers + defined(p).pending)
    } catch (e) {
      setTrouble(words(e))
      void plan.refetch()
    }
  }
  return (
    <>
      <p className="move-out-scope">
        迁出日期 <b>{said.outDate}</b> · 原因 <b>{said.reason}</b>{' '}
        <button type="button" className="linkish" onClick={onBack}>
          更改
        </button>
      </p>
      {plan.isError && (
        <p className="move-plan bad" role="alert">
          {words(plan.error)}{' '}
          <button type="button" className="linkish" onClick={() => void plan.refetch()}>
            重试
          </button>
        </p>
      )}
      {!p && !plan.isError && (
        <div style={{ position: 'relative', height: 200 }}>
          <RowSkeleton rows={4} width={[160, 240]} />
        </div>
      )}
      {p && (
        <div className="move-out-plan">
          {p.blocked && (
            <p className="bad" role="alert">
              还不能办理：{left} 个房间有需要先处理的事项
            </p>
          )}
          <section className="move-plan">
            <h3>企业</h3>
            <div className="move-step">
              <p>
                状态{' '}
                <b>
                  <Status tone="off" plain>
                    已迁出
                  </Status>
                </b>{' '}
                <small>{said.outDate} 起</small>
              </p>
              <p>
                员工 <b>{formatCount(p.workers)} 人离职</b>
                {p.pending > 0 && <small>待审核的 {formatCount(p.pending)} 个申请一并作废</small>}
              </p>
              <p>
                二维码 <b>失效</b>
              </p>
            </div>
          </section>
          <SharedQuestions
            steps={p.rooms.flatMap(r => r.steps)}
            answers={answers}
            onAnswer={(key, value) => setAnswers(withAnswer(answers, key, value))}
          />
          {p.rooms.map(r => (
            <section className="move-plan" key={r.roomId} aria-label={r.roomPath}>
              <h3>{r.roomPath}</h3>
              <MovePlanSteps
                steps={r.steps}
                answerOf={key =>
                  answers.find(a => baseKeyOf(a.key) === key && roomIdOfKey(a.key) === r.roomId)?.value ??
                  answers.find(a => a.key === key)?.value
                }
                onAnswer={(key, value) => setAnswers(withAnswer(answers, key, value, r.roomId))}
              />
            </section>
          ))}
          {!p.rooms.length && <p className="pick-quiet">这家企业没有在用的房间</p>}
        </div>
      )}
      {trouble && (
        <p className="form-band bad" role="alert">
          {trouble}
        </p>
      )}
      <footer>
        <Button
          danger
          loading={go.isPending}
          disabled={why !== undefined}
          title={why}
          onClick={() => void submit()}
        >
          {p ? `迁出（${formatCount(p.rooms.length)} 个房间，${formatCount(p.workers)} 名员工）` : '迁出'}
        </Button>
        <Button disabled={go.isPending} onClick={onBack}>
          上一步
        </Button>
        {why && p && <span className="bad">{why}</span>}
      </footer>
    </>
  )
}

/** 企业迁出 as a wizard: when and why, what it will do room by room, done (BASE-16). */
export default function MoveOutPage() {
  const [at] = useSearchParams()
  const id = Number(at.get('id')) || 0
  const navigate = useNavigate()
  const tab = useTab()
  const one = useCall(getCompany, { id }, { quiet: true, enabled: id > 0, staleMs: 0 })
  const c = one.data
  const [said, setSaid] = useState<MoveOutInput>()
  const [asking, setAsking] = useState(true)
  const [done, setDone] = useState<{ readonly rooms: number; readonly workers: number }>()
  useTabTitle(c && `迁出 ${c.name}`)
  if (id <= 0)
    return <ErrorState error={new Error('地址里没有要迁出的企业编号')} onRetry={() => location.reload()} />
  if (one.isError) return <ErrorState error={one.error} onRetry={() => void one.refetch()} />
  if (!c) return <RowSkeleton rows={6} />
  const see = (): void => {
    tab.close()
    void navigate(`${paths.detail}?id=${id}`)
  }
  return (
    <div className="move-out">
      <header>
        <h2 className="ellipsis" title={c.name}>
          企业迁出「{c.name}」
        </h2>
      </header>
      <div className="scroll">
        <Steps size="small" current={done ? 2 : asking ? 0 : 1} items={stepItems} />
        {done ? (
          <div className="move-out-done" role="status">
            <Status tone="done">已迁出</Status>
            <p>
              「{c.name}」已于 {defined(said).outDate} 迁出：{formatCount(done.rooms)} 个房间已退还，
              {formatCount(done.workers)} 名员工已离职
            </p>
            <footer>
              <Button type="primary" onClick={see}>
                查看企业
              </Button>
              <Button
                onClick={() => {
                  tab.close()
                  void navigate(paths.list)
                }}
              >
                返回企业管理
              </Button>
            </footer>
          </div>
        ) : c.state === 'gone' ? (
          <div className="move-out-done">
            <p>
              「{c.name}」已于 {c.outDate} 迁出，不用重复办理
            </p>
            <footer>
              <Button type="primary" onClick={see}>
                查看企业
              </Button>
            </footer>
          </div>
        ) : asking || !said ? (
          <InputStep
            said={said}
            onNext={s => {
              setSaid(s)
              setAsking(false)
            }}
            onCancel={() => tab.close()}
          />
        ) : (
          <ReviewStep
            of={c}
            said={said}
            onBack={() => setAsking(true)}
            onDone={(rooms, workers) => setDone({ rooms, workers })}
          />
        )}
      </div>
    </div>
  )
}
