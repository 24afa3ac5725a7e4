import { Button } from 'antd'
import { useEffect, useRef, useState } from 'react'
import { errorText } from '#kit/web/list/list-feedback.tsx'
import { navigateTo } from '#kit/web/navigation.ts'
import { usePermission } from '#kit/web/session.ts'
import { endFirstRun } from '#kit/web/shell/first-run.tsx'
import { useHost } from '#kit/web/shell/host.ts'
import { toast } from '#kit/web/toast.ts'
import { labelOf } from '#kit/contract/field.ts'
import { guideStep, type GuideStep } from '../contract/guide.ts'
import { menu } from '../module.ts'
import { closeGuideForGood } from './guide-state.ts'
import { paths } from './paths.ts'

/** The work that begins when everything is set up. */
const nextSteps = [
  { label: '打开收银台', path: paths.cashier },
  { label: '发起催缴', path: paths.debtors },
  { label: '录入抄表', path: paths.readings },
] as const

/** No step waits: names what was left out, ends the guide, and leads on to the daily work. */
export function GuideEnd({
  skipped,
  onOpenStep,
}: {
  readonly skipped: readonly GuideStep[]
  readonly onOpenStep: (step: GuideStep) => void
}) {
  const hasPermission = usePermission()
  const { screens } = useHost()
  const [busy, setBusy] = useState(false)
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    // The step that led here is gone with its button.
    if (document.activeElement === document.body) {
      heading.current?.focus()
    }
  }, [])
  const canEnd = hasPermission(menu.guide.permissions.edit)
  const finish = async (): Promise<void> => {
    setBusy(true)
    try {
      await closeGuideForGood()
      endFirstRun()
      navigateTo('/work')
    } catch (error) {
      toast.error(errorText(error).message)
    } finally {
      setBusy(false)
    }
  }
  return (
    <section className="guide-end" aria-label="初始化完成">
      <div>
        <h2 ref={heading} tabIndex={-1}>
          初始化已完成
        </h2>
        <p>可开始日常收费；各项设置之后可在「设置」和「收费设置」中修改</p>
        {skipped.length > 0 && (
          <p className="guide-skipped">
            已跳过：
            {skipped.map(step => (
              <Button key={step} type="link" size="small" onClick={() => onOpenStep(step)}>
                {labelOf(guideStep, step)}
              </Button>
            ))}
          </p>
        )}
      </div>
      <nav aria-label="后续操作">
        {nextSteps
          .filter(({ path }) => hasPermission(screens.find(path)?.needs))
          .map(({ label, path }) => (
            <Button key={path} onClick={() => navigateTo(path)}>
              {label}
            </Button>
          ))}
        {canEnd && (
          <Button type="primary" loading={busy} onClick={() => void finish()}>
            进入工作台
          </Button>
        )}
      </nav>
    </section>
  )
}
