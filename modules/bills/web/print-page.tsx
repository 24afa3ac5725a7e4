import { toError } from '#kit/domain/to-error.ts'
import { Button } from 'antd'
import { useEffect, useState } from 'react'
import { useSearchParams } from 'react-router'
import type { Call } from '#kit/contract/call.ts'
import type { FileResponse } from '#kit/contract/file-response.ts'
import { fetchFile, type FetchedFile } from '#kit/web/send.ts'
import { printPaymentNotices, printDemandLetters } from '../contract/reminder.ts'
import { readPrintRequest } from './print.ts'
import './bills.css'

/** The document, where this is the call that was asked for it. */
function fetchRequested<I>(
  call: Call<I, FileResponse>,
  key: string | null,
): Promise<FetchedFile> | undefined {
  const request = readPrintRequest<I>(key)
  return request?.at === call.route ? fetchFile(call, request.input) : undefined
}

/** A printable document without anything around it. */
export default function PrintPage() {
  const [params] = useSearchParams()
  const [url, setUrl] = useState<string>()
  const [fault, setFault] = useState<string>()
  const key = params.get('key')
  useEffect(() => {
    const file = fetchRequested(printPaymentNotices, key) ?? fetchRequested(printDemandLetters, key)
    if (!file) {
      setFault('暂无可打印的内容，请从账单或催缴列表重新打印')
      return
    }
    let objectUrl: string | undefined
    let isUnmounted = false
    file.then(
      fetchedFile => {
        if (!isUnmounted) {
          objectUrl = URL.createObjectURL(fetchedFile.blob)
          setUrl(objectUrl)
        }
      },
      e => setFault(toError(e).message),
    )
    return () => {
      isUnmounted = true
      if (objectUrl) {
        URL.revokeObjectURL(objectUrl)
      }
    }
  }, [key])
  if (fault)
    return (
      <main className="do-print">
        <p role="alert">{fault}</p>
        <Button onClick={() => window.close()}>关闭</Button>
      </main>
    )
  if (!url)
    return (
      <main className="do-print">
        <p role="status">正在生成……</p>
      </main>
    )
  // eslint-disable-next-line react/iframe-missing-sandbox -- browsers show no PDF inside a sandbox
  return <iframe className="do-print" title="打印" src={url} />
}
