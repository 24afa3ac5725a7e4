import { parseId } from '#kit/domain/id.ts'
import { defined } from '#kit/domain/defined.ts'
import { useMemo, useState } from 'react'
import { useSearchParams } from 'react-router'
import { useSend } from '#kit/web/query.ts'
import { useUnsaved } from '#kit/web/tab.ts'
import { useProject } from '#modules/estates/web/public.tsx'
import { useSession } from '#kit/web/session.ts'
import { generateBills, type RunRequest, type RunPreview } from '../contract/run.ts'
import { ScopeStep, type ScopeLabels } from './generate-scope.tsx'
import { lazyComponent } from '#kit/web/lazy-component.tsx'
import { RowSkeleton } from '#kit/web/list/list-feedback.tsx'
import './generate.css'

const loadingBody = (
  <div className="wizard-body">
    <RowSkeleton rows={8} />
  </div>
)

const PreviewStep = lazyComponent(
  () => import('./generate-preview.tsx').then(m => m.PreviewStep),
  loadingBody,
)
const ResultStep = lazyComponent(() => import('./generate-result.tsx').then(m => m.ResultStep), loadingBody)

const steps = ['选择范围', '预览账单', '生成', '结果'] as const

/** 生成账单: scope, preview, run, result. Nothing is written before the run. */
export default function GeneratePage() {
  const project = useProject()
  const name = useSession(s => s.project?.name)
  const [params, setParams] = useSearchParams()
  const [request, setAsked] = useState<RunRequest>()
  const [labels, setWords] = useState<ScopeLabels>()
  const [step, setStep] = useState<0 | 1>(0)
  const [over, setOver] = useState(false)
  const start = useSend(generateBills)
  const run = parseId(params.get('run')) || undefined
  useUnsaved(step === 1 && run === undefined)
  const currentStep = run ? (over ? 3 : 2) : step
  const begin = async (
    preview: RunPreview,
    excluded: readonly string[],
    excludeReason: string,
    gaps: readonly string[] | undefined,
  ): Promise<void> => {
    void preview
    const { run: startedRun } = await start.mutateAsync({
      ...defined(request),
      ...(excluded.length ? { excluded: [...excluded] } : {}),
      ...(excludeReason ? { excludeReason } : {}),
      ...(gaps ? { gaps } : {}),
      isPreview: false,
    })
    setOver(false)
    setParams({ run: String(defined(startedRun).id) })
  }
  const again = useMemo(
    () => () => {
      setParams({})
      setStep(0)
      setOver(false)
    },
    [setParams],
  )
  return (
    <div className="wizard">
      <header className="wizard-head">
        <h1>生成账单</h1>
        <ol className="steps" aria-label="步骤">
          {steps.map((stepLabel, i) => (
            <li
              key={stepLabel}
              className={i === currentStep ? 'now' : i < currentStep ? 'past' : ''}
              {...(i === currentStep ? { 'aria-current': 'step' as const } : {})}
            >
              <i aria-hidden>{i < currentStep ? '✓' : i + 1}</i>
              {stepLabel}
            </li>
          ))}
        </ol>
        <span className="aside" />
      </header>
      {run ? (
        <ResultStep id={run} onOver={() => setOver(true)} onAgain={again} />
      ) : step === 1 && request ? (
        <PreviewStep
          request={request}
          labels={defined(labels)}
          estate={name ?? ''}
          onBack={() => setStep(0)}
          onGo={begin}
          busy={start.isPending}
        />
      ) : (
        <ScopeStep
          key={project ?? ''}
          project={project}
          first={request}
          onNext={(a, w) => {
            setAsked(a)
            setWords(w)
            setStep(1)
          }}
        />
      )}
    </div>
  )
}
