import { toError } from '#kit/domain/to-error.ts'
import { Button } from 'antd'
import { useEffect, useState } from 'react'
import { useSearchParams } from 'react-router'
import { fetchFile } from '#kit/web/send.ts'
import { printPaymentNotices, printDemandLetters } from '../contract/reminder.ts'
import './bills.css'

const printableCalls = [printPaymentNotices, printDemandLetters]

interface PrintRequest {
  readonly at: string
  readonly input: unknown
}

const readPrintRequest = (key: string | null): PrintRequest | undefined => {
  try {
    const stored = key ? localStorage.getItem(key) : undefined
    return stored ? (JSON.parse(stored) as PrintRequest) : undefined
  } catch {
    return undefined
  }
}

/** A printable document without anything around it. */
export default function PrintPage() {
  const [params] = useSearchParams()
  const [url, setUrl] = useState<string>()
  const [fault, setFault] = useState<string>()
  const key = params.get('key')
  useEffect(() => {
    const of = readPrintRequest(key)
    const call = of && printableCalls.find(c => c.route === of.at)
    if (!of || !call) {
      setFault('没有要打印的内容，请从账单或催缴列表重新打印')
      return
    }
    let objectUrl: string | undefined
    let isUnmounted = false
    fetchFile(call as never, of.input).then(
      f => {
        if (!isUnmounted) {
          objectUrl = URL.createObjectURL(f.blob)
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
