import { Button } from 'antd'
import { useEffect, useState } from 'react'
import { useSearchParams } from 'react-router'
import { fetchFile } from '#kit/web/send.ts'
import { printBills, printLetters } from '../contract/urge.ts'
import './bills.css'

const printable = [printBills, printLetters]

interface Asked {
  readonly at: string
  readonly input: unknown
}

const asked = (key: string | null): Asked | undefined => {
  try {
    const said = key ? localStorage.getItem(key) : undefined
    return said ? (JSON.parse(said) as Asked) : undefined
  } catch {
    return undefined
  }
}

/** A document as it will come out of the printer, with nothing round it. */
export default function DoPrintPage() {
  const [params] = useSearchParams()
  const [url, setUrl] = useState<string>()
  const [fault, setFault] = useState<string>()
  const key = params.get('key')
  useEffect(() => {
    const of = asked(key)
    const call = of && printable.find(c => c.at === of.at)
    if (!of || !call) {
      setFault('没有要打印的内容，请从账单或催缴列表重新打印')
      return
    }
    let made: string | undefined
    let gone = false
    fetchFile(call as never, of.input).then(
      f => {
        if (!gone) {
          made = URL.createObjectURL(f.blob)
          setUrl(made)
        }
      },
      e => setFault((e as Error).message),
    )
    return () => {
      gone = true
      if (made) {
        URL.revokeObjectURL(made)
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
