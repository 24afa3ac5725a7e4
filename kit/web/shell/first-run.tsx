import { Button } from 'antd'
import { useEffect, useState } from 'react'
import { saveStored, useStored } from '../browser-store.ts'
import { personalKey, usePermission } from '../session.ts'
import { toast } from '../toast.ts'
import { workbench, type FirstRun } from '../workbench.ts'

type FirstRunState = 'unknown' | 'open' | 'over'

const storageKey = (): string => personalKey('bench.first-run-over')

/** Gives the workbench back at once, in every open page. */
export const endFirstRun = (): void => saveStored(storageKey(), true)

/**
 * Whether the company's setup takes the workbench's place. Asked once the modules' extensions are there; a
 * company that is set up stays so, which this browser remembers.
 */
export function useFirstRun(isLoaded: boolean): { state: FirstRunState; close: () => void } {
  const hasPermission = usePermission()
  const [isOver] = useStored(storageKey(), false)
  const [isOpen, setOpen] = useState<boolean>()
  const firstRun = workbench.firstRun()
  const showsFirstRun = firstRun !== undefined && hasPermission(firstRun.needs)
  useEffect(() => {
    if (isOver || !showsFirstRun) return
    const abort = new AbortController()
    firstRun.isOpen(abort.signal).then(
      open => {
        setOpen(open)
        if (!open) {
          endFirstRun()
        }
      },
      () => {
        if (!abort.signal.aborted) {
          setOpen(false)
        }
      },
    )
    return () => abort.abort()
  }, [isOver, showsFirstRun, firstRun])
  const close = (): void => {
    setOpen(false)
    endFirstRun()
  }
  if (isOver || (isLoaded && !showsFirstRun)) return { state: 'over', close }
  if (isOpen === undefined) return { state: 'unknown', close }
  return { state: isOpen ? 'open' : 'over', close }
}

/** The setup in place of the workbench, with a way past it for everybody of the company. */
export function FirstRunPage({
  firstRun,
  onClose,
}: {
  readonly firstRun: FirstRun
  readonly onClose: () => void
}) {
  const hasPermission = usePermission()
  const close = async (): Promise<void> => {
    await firstRun.close()
    toast.success('已进入工作台，可在 设置 › 基础配置 › 初始化向导 继续')
    onClose()
  }
  return (
    <div className="first-run">
      <firstRun.Draw />
      {hasPermission(firstRun.closeNeeds) && (
        <Button type="text" className="first-run-close" onClick={() => void close()}>
          跳过向导，进入工作台
        </Button>
      )}
    </div>
  )
}
