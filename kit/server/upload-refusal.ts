import { resultCode, type Envelope } from '#kit/contract/wire.ts'
import { failureEnvelope } from './http-response.ts'

/** What the protocol itself refuses, by its status: a client that speaks it well never sees most of them. */
const messageByStatus: Readonly<Record<number, string>> = {
  404: '上传不存在或已被取消，请重新上传',
  409: '上传进度不一致，请重新上传',
  410: '上传不存在或已被取消，请重新上传',
  412: '请用 tus 1.0.0 协议上传',
  413: '文件超过声明的大小，请重新上传',
  500: '上传失败，请稍后重试',
}

const codeByStatus: Readonly<Record<number, number>> = {
  404: resultCode.notFound,
  409: resultCode.stale,
  410: resultCode.notFound,
}

/** The sender's own fault is no defect of this server. */
export const protocolRefusal = (status: number): Envelope =>
  failureEnvelope(
    messageByStatus[status] ?? '上传请求不正确，请刷新后重新上传',
    status >= 500 ? resultCode.internalError : (codeByStatus[status] ?? resultCode.invalidInput),
  )
