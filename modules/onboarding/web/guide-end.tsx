import { Button } from 'antd'
import { useState } from 'react'
import { errorText } from '#kit/web/list/list-feedback.tsx'
import { navigateTo } from '#kit/web/navigation.ts'
import { usePermission } from '#kit/web/session.ts'
import { endFirstRun } from '#kit/web/shell/first-run.tsx'
import { useHost } from '#kit/web/shell/host.ts'
import { toast } from '#kit/web/toast.ts'
import { menu } from '../module.ts'
import { closeGuideForGood } from './guide-state.ts'
import { paths } from './paths.ts'

/** The work that begins when everything is set up. */
const nextSteps = [
  { label: '打开收银台', path: paths.cashier },
  { label: '发起催缴', path: paths.debtors },
  { label: '录入抄表', path: paths.readings },
] as const

/** All steps are done: ends the guide, and leads on to the daily work. */
export function GuideEnd() {
  const hasPermission = usePermission()
  const { screens } = useHost()
  const [busy, setBusy] = useState(false)
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
        <h2>初始化已完成</h2>
        <p>可开始日常收费；各项设置之后可在「设置」和「收费设置」中修改</p>
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
