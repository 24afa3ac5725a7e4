import { Button, Select } from 'antd'
import { useEffect, useRef, useState } from 'react'
import { Link, useSearchParams } from 'react-router'
import { labelOf } from '#kit/contract/field.ts'
import { CheckOutlined } from '@ant-design/icons'
import { ErrorState, RowSkeleton } from '#kit/web/list/list-feedback.tsx'
import { formatCount } from '#kit/web/numbers.tsx'
import { useCall } from '#kit/web/query.ts'
import { usePermission } from '#kit/web/session.ts'
import { useSetting } from '#kit/web/user-settings.ts'
import { useHost } from '#kit/web/shell/host.ts'
import { useProjects } from '#kit/web/shell/project-switch.tsx'
import { getSetupGuide, guideStep, type GuideStep, type SetupGuide } from '../contract/guide.ts'
import { isGuideOver, nextStep, skippedSteps } from '../domain/guide-progress.ts'
import { stepDescriptions } from './guide-steps.ts'
import { GuideEnd } from './guide-end.tsx'
import { SampleBand } from './sample-band.tsx'
import '#kit/web/form/form.css'
import './guide.css'

type StepRow = SetupGuide['steps'][number] & { readonly skipped: boolean }

const headline = (steps: readonly StepRow[]): string => {
  const skipped = skippedSteps(steps).length
  const next = nextStep(steps)
  return [
    `已完成 ${steps.filter(s => s.done).length} / ${steps.length} 步`,
    skipped ? `跳过 ${skipped} 步` : '',
    next ? `接下来：${labelOf(guideStep, next)}` : '',
  ]
    .filter(Boolean)
    .join('，')
}

const noSteps: readonly string[] = []

/** Steps that this person left out, remembered for the account; the company's own once for all projects. */
function useSkippedSteps(projectCode: string | undefined) {
  const [skipped, setSkipped] = useSetting('guide/skipped', noSteps)
  const keyOf = (step: GuideStep): string =>
    stepDescriptions[step].ofCompany ? step : `${projectCode ?? ''}/${step}`
  return {
    isSkipped: (step: GuideStep): boolean => skipped.includes(keyOf(step)),
    skip: (step: GuideStep): void => setSkipped([...new Set([...skipped, keyOf(step)])]),
  }
}

function StepList({
  steps,
  current,
  onOpen,
}: {
  readonly steps: readonly StepRow[]
  readonly current: GuideStep | undefined
  readonly onOpen: (step: GuideStep) => void
}) {
  return (
    <ol className="guide-steps" aria-label="步骤">
      {steps.map((step, i) => (
        <li key={step.step}>
          <button
            type="button"
            className={step.done ? 'done' : ''}
            aria-current={step.step === current ? 'step' : undefined}
            onClick={() => onOpen(step.step)}
          >
            <i aria-hidden>{step.done ? <CheckOutlined /> : i + 1}</i>
            <span>{labelOf(guideStep, step.step)}</span>
            <small className="figure">
              {step.count > 0 ? `${formatCount(step.count)} ${stepDescriptions[step.step].unit}` : ''}
            </small>
          </button>
        </li>
      ))}
    </ol>
  )
}

function StepPane({
  row,
  guide,
  onDone,
  onOpenStep,
  onSkip,
}: {
  readonly row: StepRow
  readonly guide: SetupGuide
  readonly onDone: (next: boolean) => void
  readonly onOpenStep: (step: GuideStep) => void
  readonly onSkip: () => void
}) {
  const { purpose, unit, path, Body, ofCompany } = stepDescriptions[row.step]
  const hasPermission = usePermission()
  const { screens } = useHost()
  const needs = screens.find(path)?.needs
  const isOpen = !needs || hasPermission(needs)
  const heading = useRef<HTMLHeadingElement>(null)
  const shownStep = useRef(row.step)
  useEffect(() => {
    // Where the button was that led here there is another step now.
    if (shownStep.current !== row.step) {
      heading.current?.focus()
    }
    shownStep.current = row.step
  }, [row.step])
  const lacksProject = !ofCompany && !guide.projectCode
  return (
    <section className="guide-pane" aria-label={labelOf(guideStep, row.step)}>
      <header>
        <h2 ref={heading} tabIndex={-1}>
          {labelOf(guideStep, row.step)}
        </h2>
        <p>{purpose}</p>
        {row.count > 0 && (
          <p className="guide-result" role="status">
            {row.step === 'company' ? `已填 ${row.count} / 3 项` : `已有 ${formatCount(row.count)} ${unit}`}
            {isOpen && <Link to={path}>查看</Link>}
          </p>
        )}
      </header>
      {!isOpen && needs && <p className="step-note">需要「{needs.label}」权限，请联系管理员授权</p>}
      {isOpen && lacksProject && <p className="step-note">请先新增项目</p>}
      {isOpen && !lacksProject && (
        <Body
          key={`${row.step}/${guide.projectCode ?? ''}`}
          projectCode={guide.projectCode ?? ''}
          count={row.count}
          onDone={onDone}
          onOpenStep={onOpenStep}
        />
      )}
      <footer>
        <Button type={row.done ? 'primary' : 'text'} ghost={row.done} onClick={onSkip}>
          {row.done ? '下一步' : '跳过此步'}
        </Button>
      </footer>
    </section>
  )
}

/** The step in the address: a reload stays at what was being typed, and 后退 leads to the step before. */
function useOpenStep() {
  const [params, setParams] = useSearchParams()
  const open = params.get('step') ?? undefined
  const setOpen = (step: GuideStep | undefined, shown?: GuideStep): void =>
    setParams(
      previous => {
        const next = new URLSearchParams(previous)
        next.delete('step')
        if (step) {
          next.set('step', step)
        }
        return next
      },
      { replace: step === undefined || step === (open ?? shown) },
    )
  return [open, setOpen] as const
}

/** From an empty company to its first receipt: every step can be left, resumed and repeated. */
export default function SetupGuidePage() {
  const { all = [], current: chosen } = useProjects()
  const [asked, setAsked] = useState<string>()
  const chosenCode = chosen && chosen.code !== '0' ? chosen.code : undefined
  const projectCode = asked ?? chosenCode
  const query = useCall(getSetupGuide, projectCode ? { projectCode } : {}, {
    quiet: true,
    project: 0,
    staleMs: 0,
    keepPrevious: true,
  })
  const [open, setOpen] = useOpenStep()
  const openNow = useRef<string>(undefined)
  const { isSkipped, skip } = useSkippedSteps(query.data?.projectCode)
  if (query.isError) return <ErrorState error={query.error} onRetry={() => void query.refetch()} />
  const guide = query.data
  if (!guide)
    return (
      <div className="guide-page">
        <RowSkeleton rows={8} />
      </div>
    )
  const steps = guide.steps.map(row => ({ ...row, skipped: isSkipped(row.step) }))
  const shownStep = open ?? nextStep(steps)
  openNow.current = shownStep
  const row = steps.find(s => s.step === shownStep)
  const end = isGuideOver(steps) && <GuideEnd skipped={skippedSteps(steps)} onOpenStep={setOpen} />
  const refresh = (): void => void query.refetch()
  return (
    <div className="guide-page">
      <header className="guide-head">
        <h1>初始化向导</h1>
        <p role="status">{headline(steps)}</p>
        {all.length > 1 && (
          <Select
            className="guide-project"
            aria-label="项目"
            value={guide.projectCode}
            options={all.map(p => ({ value: p.code, label: p.name }))}
            onChange={setAsked}
          />
        )}
      </header>
      <SampleBand
        guide={guide}
        onChange={() => {
          setAsked(undefined)
          setOpen(undefined)
          refresh()
        }}
      />
      {row && end}
      <div className="guide-body">
        <StepList steps={steps} current={row?.step} onOpen={setOpen} />
        {row ? (
          <StepPane
            row={row}
            guide={guide}
            onOpenStep={setOpen}
            onDone={goOn => {
              // A step that was opened while this one was being saved stays open.
              if (openNow.current === row.step) {
                setOpen(goOn ? nextStep(steps, row.step) : row.step, row.step)
              }
              refresh()
            }}
            onSkip={() => {
              if (!row.done) {
                skip(row.step)
              }
              setOpen(nextStep(steps, row.step))
            }}
          />
        ) : (
          end
        )}
      </div>
    </div>
  )
}
