import { Button, Drawer, Progress, Radio, Steps, Tabs } from 'antd'
import { DownloadOutlined, InboxOutlined } from '@ant-design/icons'
import { useRef, useState, type DragEvent } from 'react'
import { sheetLimits } from '#kit/contract/sheet.ts'
import type { ImportCalls, ImportResult } from '#kit/contract/import-export.ts'
import { formatFileSize } from '#kit/contract/text.ts'
import { formatCount } from '../numbers.tsx'
import { invalidate, useSend } from '../query.ts'
import { download } from '../send.ts'
import { useTask } from '../use-task.ts'
import { upload } from '../upload.ts'
import { errorText } from '../list/list-states.tsx'
import { FaultTable } from './fault-table.tsx'
import '../form/form.css'
import './transfer.css'

interface ImportDialogProps {
  readonly spec: ImportCalls<any>
  readonly itemName: string
  readonly input: Readonly<Record<string, unknown>>
  readonly onClose: () => void
}

const accepted = sheetLimits.types.map(t => `.${t}`).join(',')

/** Said before a byte goes up (IMP-2). */
function fileFault(f: File): string | undefined {
  if (!sheetLimits.types.some(t => f.name.toLowerCase().endsWith(`.${t}`)))
    return `「${f.name}」不是 ${sheetLimits.types.join('、')} 文件`
  if (f.size > sheetLimits.bytes)
    return `文件 ${formatFileSize(f.size)}，超过 ${sheetLimits.bytes / 1024 / 1024} MB，请拆成几个文件`
  return f.size === 0 ? '文件是空的' : undefined
}

/** Three steps: template, check, import. Nothing is written before the last (IMP-1). */
export function ImportDialog({ spec, itemName, input: given, onClose }: ImportDialogProps) {
  const [file, setFile] = useState<File>()
  const [part, setPart] = useState<number>()
  const [trouble, setTrouble] = useState<string>()
  const [checked, setChecked] = useState<ImportResult>()
  const [mode, setMode] = useState<string>()
  const [taskId, setTaskId] = useState<number>()
  const [over, setOver] = useState(false)
  const picker = useRef<HTMLInputElement>(null)
  const giveUp = useRef<AbortController>(undefined)
  const confirm = useSend(spec.post, { quiet: true })
  const { task, tasks, failed, over: finished } = useTask(taskId)
  const modes = spec.post.input.fields.mode?.choices
  const step = taskId !== undefined ? 2 : checked ? 1 : 0
  if (finished && !over) {
    setOver(true)
    void invalidate(spec.post.affects ?? [])
  }

  const check = async (f: File, way = mode, again = false): Promise<void> => {
    const no = fileFault(f)
    setTrouble(no)
    setFile(f)
    // What is wrong may hang on the way that is chosen: the same file is judged anew under the old figures.
    if (!again) {
      setChecked(undefined)
    }
    if (no) return
    setPart(0)
    giveUp.current = new AbortController()
    try {
      setChecked(
        await upload(spec.post, { ...given, ...(way ? { mode: way } : {}) } as never, f, {
          quiet: true,
          onProgress: setPart,
          signal: giveUp.current.signal,
        }),
      )
    } catch (e) {
      if (!giveUp.current.signal.aborted) {
        const { words, more } = errorText(e)
        setTrouble([words, more].filter(Boolean).join('，'))
      }
    } finally {
      setPart(undefined)
    }
  }
  const take = (list: FileList | null): void => {
    const f = list?.[0]
    if (f) {
      void check(f)
    }
    if (picker.current) {
      picker.current.value = ''
    }
  }
  const begin = async (): Promise<void> => {
    setTrouble(undefined)
    try {
      const a = await confirm.mutateAsync({
        ...given,
        importId: checked!.importId!,
        mode: mode ?? firstMode,
      } as never)
      setTaskId(a.taskId)
    } catch (e) {
      const { words, more } = errorText(e)
      setTrouble([words, more].filter(Boolean).join('，'))
    }
  }
  const firstMode = Object.keys(modes?.rows ?? {})[0]
  const again = (): void => {
    setFile(undefined)
    setChecked(undefined)
    setTaskId(undefined)
    setTrouble(undefined)
    setOver(false)
  }
  const a = checked
  const blocked = a && !a.good ? '没有可以导入的行' : undefined

  const drop = (e: DragEvent): void => {
    e.preventDefault()
    take(e.dataTransfer.files)
  }
  const first = (
    <>
      <section>
        <h3>1. 下载模板</h3>
        <p>模板里有填写说明和可选项；已有数据也可以先导出，改好再导入。</p>
        <Button
          icon={<DownloadOutlined />}
          onClick={() =>
            void download(spec.template, given as never, `${itemName}导入模板.xlsx`).catch(() => undefined)
          }
        >
          下载模板
        </Button>
      </section>
      <section>
        <h3>2. 上传校验</h3>
        <button
          type="button"
          className="drop"
          disabled={part !== undefined}
          onClick={() => picker.current?.click()}
          onDragOver={e => e.preventDefault()}
          onDrop={drop}
        >
          <InboxOutlined />
          <span>
            {part !== undefined
              ? `正在${part < 1 ? '上传' : '校验'}「${file?.name}」`
              : '点击选择文件，或把文件拖到这里'}
          </span>
          <small>
            {sheetLimits.types.join('、')}，不超过 {sheetLimits.bytes / 1024 / 1024} MB、
            {formatCount(sheetLimits.rows)} 行；校验不会写入数据
          </small>
        </button>
        <input ref={picker} type="file" hidden accept={accepted} onChange={e => take(e.target.files)} />
        {part !== undefined && (
          <div className="going">
            <Progress percent={Math.round(part * 100)} status="active" showInfo={part < 1} />
            <Button size="small" onClick={() => giveUp.current?.abort()}>
              取消
            </Button>
          </div>
        )}
      </section>
    </>
  )
  const tabs = a
    ? [
        {
          key: 'errors',
          label: '错误',
          n: a.errorCount,
          rows: a.errors,
          note: '这些行不会导入；改好后重新上传，或先导入其余的行',
        },
        {
          key: 'repeated',
          label: '文件内重复',
          n: a.repeatedCount,
          rows: a.repeated,
          note: '只导入先出现的一行',
        },
        {
          key: 'existing',
          label: '系统里已有',
          n: a.existingCount,
          rows: a.existing,
          note: '按下面选择的方式处理',
        },
        { key: 'warnings', label: '提醒', n: a.warningCount, rows: a.warnings, note: '不影响导入' },
      ].filter(t => (t.n ?? 0) > 0)
    : []
  const second = a && (
    <>
      <div className="scope-line">
        <span>
          「{a.fileName ?? file?.name}」共 {formatCount(a.rows ?? 0)} 行
        </span>
        <button type="button" className="linkish" onClick={again}>
          换文件
        </button>
      </div>
      <div className="sums">
        {(
          [
            ['可导入', a.good, 'done'],
            ['错误', a.errorCount, 'bad'],
            ['文件内重复', a.repeatedCount, 'todo'],
            ['已有', a.existingCount, 'open'],
            ['提醒', a.warningCount, 'todo'],
          ] as const
        ).map(([label, n, tone]) => (
          <div key={label}>
            <span>{label}</span>
            <b style={n ? { color: `var(--${tone})` } : undefined}>{formatCount(n ?? 0)}</b>
          </div>
        ))}
      </div>
      {a.already && (
        <div className="form-band" role="alert">
          该文件已在 {a.already.slice(0, 16)} 导入过，再次导入请确认没有选错文件
        </div>
      )}
      {(a.headings?.length ?? 0) > 0 && (
        <p className="headings">
          采用的列：
          {a
            .headings!.filter(h => h.used !== false)
            .map(h => (h.label && h.label !== h.heading ? `${h.heading}（${h.label}）` : h.heading))
            .join('、')}
        </p>
      )}
      {tabs.length > 0 ? (
        <Tabs
          items={tabs.map(t => ({
            key: t.key,
            label: `${t.label} ${formatCount(t.n!)}`,
            children: <FaultTable rows={t.rows ?? []} total={t.n!} note={t.note} />,
          }))}
        />
      ) : (
        <p className="fine">全部 {formatCount(a.rows ?? 0)} 行都可以导入</p>
      )}
      {modes && ((a.existingCount ?? 0) > 0 || Object.keys(modes.rows).length > 2) && (
        <section>
          <h3 id="import-mode">{spec.post.input.fields.mode!.label}</h3>
          <Radio.Group
            aria-labelledby="import-mode"
            vertical
            value={mode ?? firstMode}
            disabled={part !== undefined}
            onChange={e => {
              setMode(e.target.value as string)
              void check(file!, e.target.value as string, true)
            }}
            options={Object.entries(modes.rows).map(([value, r]) => ({ value, label: r[1] }))}
          />
        </section>
      )}
    </>
  )
  const third = (
    <div className="outcome" role="status">
      {!finished ? (
        <>
          <p>
            {failed
              ? '暂时取不到进度，导入仍在后台进行'
              : task
                ? `正在导入 ${formatCount(task.done)} / ${formatCount(task.total ?? a?.good ?? 0)} 行`
                : '已开始导入'}
          </p>
          <Progress percent={task?.total ? Math.floor((task.done / task.total) * 100) : 0} status="active" />
          <p className="quiet">可以关闭这里，完成后在任务中心查看结果</p>
        </>
      ) : (
        <>
          <p className="big">
            {task!.label}：成功 {formatCount(task!.success)}，失败 {formatCount(task!.fail)}，跳过{' '}
            {formatCount(task!.skipped)}
          </p>
          {task!.message && <p>{task!.message}</p>}
          <div>
            {task!.hasResult && (
              <Button icon={<DownloadOutlined />} onClick={() => void tasks?.download(task!.id, 'result')}>
                下载结果文件
              </Button>
            )}{' '}
            <Button onClick={again}>继续导入</Button>
          </div>
        </>
      )}
    </div>
  )
  const foot = (
    <div className="foot-verbs">
      {step === 1 && (
        <Button
          type="primary"
          disabled={blocked !== undefined || part !== undefined}
          title={blocked}
          loading={confirm.isPending || part !== undefined}
          onClick={() => void begin()}
        >
          导入 {formatCount(a?.good ?? 0)} 行
        </Button>
      )}
      {step === 2 && finished && (
        <Button type="primary" onClick={onClose}>
          完成
        </Button>
      )}
      {step === 1 && (a?.errorCount ?? 0) > 0 && (
        <Button
          icon={<DownloadOutlined />}
          onClick={() =>
            void download(spec.faults, { importId: a!.importId! }, `${itemName}导入错误.xlsx`).catch(
              () => undefined,
            )
          }
        >
          下载错误行
        </Button>
      )}
      {step === 2 && !finished && task && <Button onClick={() => void tasks?.stop(task.id)}>停止</Button>}
      <span className="spring" />
      <Button onClick={onClose}>{step === 2 && !finished ? '后台继续' : '关闭'}</Button>
    </div>
  )
  return (
    <Drawer
      open
      title={spec.post.title}
      size={innerWidth < 1100 ? '100%' : 880}
      onClose={onClose}
      footer={foot}
      mask={{ closable: false }}
      keyboard={part === undefined}
    >
      <div className="import">
        <Steps
          size="small"
          current={step === 0 && part === undefined ? 0 : Math.max(1, step)}
          items={[{ title: '下载模板' }, { title: '上传校验' }, { title: '确认导入' }]}
        />
        {trouble && (
          <div className="form-band bad" role="alert">
            {trouble}
          </div>
        )}
        {step === 0 ? first : step === 1 ? second : third}
      </div>
    </Drawer>
  )
}
