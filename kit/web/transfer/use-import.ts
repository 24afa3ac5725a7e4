import type { Id } from '#kit/domain/id.ts'
import { defined } from '#kit/domain/defined.ts'
import { useRef, useState } from 'react'
import type { ImportCalls, ImportResult } from '#kit/contract/import-export.ts'
import { sheetLimits } from '#kit/contract/sheet.ts'
import { formatFileSize } from '#kit/contract/text.ts'
import { errorText } from '../list/list-feedback.tsx'
import { invalidate, useSend } from '../query.ts'
import { upload } from '../upload.ts'
import { useTask } from '../use-task.ts'

/** Why a file cannot be imported, before a byte of it is sent (IMP-2). */
function fileFault(file: File): string | undefined {
  if (!sheetLimits.types.some(type => file.name.toLowerCase().endsWith(`.${type}`)))
    return `「${file.name}」不是 ${sheetLimits.types.join('、')} 文件`
  if (file.size > sheetLimits.bytes)
    return `文件 ${formatFileSize(file.size)}，超过 ${sheetLimits.bytes / 1024 / 1024} MB，请拆成几个文件`
  return file.size === 0 ? '文件是空的' : undefined
}

const failureText = (e: unknown): string => {
  const { message, hint } = errorText(e)
  return [message, hint].filter(Boolean).join('，')
}

/** Uploads a file for checking; the check writes nothing. */
function useCheck(spec: ImportCalls<any>, input: Readonly<Record<string, unknown>>) {
  const [file, setFile] = useState<File>()
  const [progress, setProgress] = useState<number>()
  const [result, setResult] = useState<ImportResult>()
  const [error, setError] = useState<string>()
  const abort = useRef<AbortController>(undefined)
  const check = async (
    chosen: File,
    mode: string | undefined,
    { keepResult = false, addMissing = false } = {},
  ): Promise<void> => {
    const fault = fileFault(chosen)
    setError(fault)
    setFile(chosen)
    if (!keepResult) {
      setResult(undefined)
    }
    if (fault) return
    setProgress(0)
    const controller = new AbortController()
    abort.current = controller
    try {
      const request = { ...input, ...(mode ? { mode } : {}), ...(addMissing ? { addMissing } : {}) }
      setResult(
        await upload(spec.post, request as never, chosen, {
          quiet: true,
          onProgress: setProgress,
          signal: controller.signal,
        }),
      )
    } catch (e) {
      if (!controller.signal.aborted) {
        setError(failureText(e))
      }
    } finally {
      setProgress(undefined)
    }
  }
  const reset = (): void => {
    setFile(undefined)
    setResult(undefined)
    setError(undefined)
  }
  return { file, progress, result, error, setError, check, reset, cancel: () => abort.current?.abort() }
}

/** The state of an import: a file is checked, then written by a background task (IMP-1). */
export function useImport(spec: ImportCalls<any>, input: Readonly<Record<string, unknown>>) {
  const { check, reset: resetCheck, ...checking } = useCheck(spec, input)
  const [mode, setMode] = useState<string>()
  const [taskId, setTaskId] = useState<Id>()
  const [announced, setAnnounced] = useState(false)
  const start = useSend(spec.post, { quiet: true })
  const { task, tasks, failed, isEnded } = useTask(taskId)
  const modes = spec.post.input.fields.mode?.choices
  const chosenMode = mode ?? Object.keys(modes?.rows ?? {})[0]
  if (isEnded && !announced) {
    setAnnounced(true)
    void invalidate(spec.post.affects ?? [])
  }
  const begin = async (): Promise<void> => {
    checking.setError(undefined)
    try {
      const request = { ...input, importId: defined(defined(checking.result).importId), mode: chosenMode }
      setTaskId((await start.mutateAsync(request)).taskId)
    } catch (e) {
      checking.setError(failureText(e))
    }
  }
  return {
    ...checking,
    step: taskId !== undefined ? 2 : checking.result ? 1 : 0,
    modes,
    mode: chosenMode,
    /**
     * What is wrong with a file may depend on the mode: it is checked again, the old figures stay until then.
     */
    changeMode: (next: string): void => {
      setMode(next)
      void check(defined(checking.file), next, { keepResult: true })
    },
    /** What the lines name and does not exist is added; then the file is checked again. */
    addMissing: async (): Promise<void> => {
      await check(defined(checking.file), chosenMode, { keepResult: true, addMissing: true })
      await invalidate(spec.post.affects ?? [])
    },
    /** `楼栋`. */
    missingLabel: spec.post.input.fields.addMissing?.label,
    checkFile: (file: File): void => void check(file, mode),
    begin,
    isStarting: start.isPending,
    task,
    tasks,
    progressUnknown: failed,
    isEnded,
    reset: (): void => {
      resetCheck()
      setTaskId(undefined)
      setAnnounced(false)
    },
  }
}

export type ImportState = ReturnType<typeof useImport>
