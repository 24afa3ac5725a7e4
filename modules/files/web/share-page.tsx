import { DownloadOutlined } from '@ant-design/icons'
import { Button, Input } from 'antd'
import { useEffect, useState } from 'react'
import { useSearchParams } from 'react-router'
import { errorSentence, RowSkeleton } from '#kit/web/list/list-feedback.tsx'
import { send } from '#kit/web/send.ts'
import { openShare } from '../contract/transfer.ts'
import { formatFileSize } from '#kit/contract/text.ts'
import { MiddleEllipsis, NodeIcon } from './node-icon.tsx'
import { downloadFromShare } from './share-download.ts'
import './share-page.css'

type OpenedShare = NonNullable<typeof openShare.output.T>

/** What a link leads to: first perhaps to the question for its code. */
function useShare(token: string) {
  const [share, setShare] = useState<OpenedShare>()
  const [fault, setFault] = useState('')
  const [code, setCode] = useState('')
  const [isBusy, setBusy] = useState(false)
  const open = async (enteredCode: string): Promise<void> => {
    setBusy(true)
    setFault('')
    try {
      setShare(await send(openShare, { token, ...(enteredCode && { code: enteredCode }) }, { quiet: true }))
    } catch (error) {
      setFault(errorSentence(error))
    } finally {
      setBusy(false)
    }
  }
  useEffect(() => {
    if (token) {
      void open('')
    } else {
      setFault('链接无效，请向分享人索取完整的链接')
    }
  }, [token])
  return { share, fault, setFault, code, setCode, isBusy, open }
}

type Share = ReturnType<typeof useShare>

function CodeForm({ fault, setFault, code, setCode, isBusy, open }: Share) {
  return (
    <form
      className="share-code"
      onSubmit={event => {
        event.preventDefault()
        if (code.trim()) {
          void open(code.trim())
        } else {
          setFault('请输入提取码')
        }
      }}
    >
      <label htmlFor="share-code">请输入提取码</label>
      <span>
        <Input
          id="share-code"
          size="large"
          autoFocus
          autoComplete="off"
          maxLength={8}
          value={code}
          status={fault ? 'error' : ''}
          aria-describedby="share-fault"
          onChange={event => setCode(event.target.value)}
        />
        <Button type="primary" size="large" htmlType="submit" loading={isBusy}>
          打开
        </Button>
      </span>
      <p id="share-fault" role="alert">
        {fault}
      </p>
    </form>
  )
}

const noFiles: NonNullable<OpenedShare['files']> = []

function SharedFiles({
  token,
  share,
  code,
}: {
  readonly token: string
  readonly share: OpenedShare
  readonly code: string
}) {
  const files = share.files ?? noFiles
  const size = files.reduce((sum, file) => sum + file.fileSize, 0)
  const get = (id?: (typeof files)[number]['id'], bytes = size): Promise<void> =>
    downloadFromShare({ token, ...(code && { code }), ...(id !== undefined && { id }) }, bytes).catch(
      () => {},
    )
  return (
    <>
      <p className="share-from">
        {share.sharerName ?? '分享人'} 分享了 {files.length} 个文件，共 {formatFileSize(size)}
        {share.expireTime && `，${share.expireTime.slice(0, 16)} 前可下载`}
      </p>
      <ul>
        {files.map(file => (
          <li key={file.id}>
            <NodeIcon node={{ type: 'file', name: file.name }} />
            <MiddleEllipsis text={file.name} />
            <small className="figure">{formatFileSize(file.fileSize)}</small>
            <Button
              icon={<DownloadOutlined />}
              aria-label={`下载「${file.name}」`}
              onClick={() => void get(file.id, file.fileSize)}
            />
          </li>
        ))}
      </ul>
      {files.length > 1 && (
        <Button
          type="primary"
          size="large"
          icon={<DownloadOutlined />}
          aria-label="全部下载"
          onClick={() => void get()}
        >
          全部下载
        </Button>
      )}
      {!files.length && <p>分享的文件夹为空</p>}
    </>
  )
}

/** Shared files for everyone with the link, without an account (FILE-6). */
export default function SharePage() {
  const [params] = useSearchParams()
  const token = params.get('t') ?? ''
  const state = useShare(token)
  const { share, fault } = state
  return (
    <main className="share-page">
      <section>
        <h1>文件分享</h1>
        {share?.needsCode && <CodeForm {...state} />}
        {share && !share.needsCode && <SharedFiles token={token} share={share} code={state.code.trim()} />}
        {!share && fault && (
          <p className="share-fault" role="alert">
            {fault}
          </p>
        )}
        {!share && !fault && (
          <div className="share-wait">
            <RowSkeleton rows={3} width={[220, 80]} />
          </div>
        )}
      </section>
    </main>
  )
}
