/** What Node and the operating system report by code, as text for the operator. */
const textByCode: Readonly<Record<string, string>> = {
  EACCES: '没有权限',
  EPERM: '系统不允许此操作',
  ENOENT: '文件或目录不存在',
  EEXIST: '文件或目录已存在',
  EISDIR: '这是目录，不是文件',
  ENOTDIR: '这不是目录',
  ENOTEMPTY: '目录不为空',
  EBUSY: '文件正被占用',
  ETXTBSY: '文件正在运行，不能覆盖',
  EROFS: '磁盘只读',
  ENOSPC: '磁盘空间不足',
  EDQUOT: '磁盘配额已用完',
  EIO: '磁盘读写出错',
  EMFILE: '打开的文件过多',
  ENFILE: '打开的文件过多',
  ENAMETOOLONG: '名称过长',
  ENOEXEC: '文件不能执行',
  ESRCH: '进程不存在',
  ENOMEM: '内存不足',
  ECONNREFUSED: '连接被拒绝',
  ECONNRESET: '连接中断',
  EPIPE: '连接中断',
  ENOTFOUND: '无法解析主机名',
  EHOSTUNREACH: '无法连接主机',
  ENETUNREACH: '网络不通',
  ETIMEDOUT: '连接超时',
  Z_DATA_ERROR: '压缩文件已损坏或格式不正确',
  Z_BUF_ERROR: '压缩文件不完整',
  ERR_BUFFER_TOO_LARGE: '解压后的内容过大',
}

const codeOf = (error: unknown): string =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : ''

/** A Chinese text was written for people, by this program or by a driver. */
const isForPeople = (text: string): boolean => /\p{Script=Han}/u.test(text)

/**
 * Why something failed, in words; with the path that it was about. A message of a library is for the log of
 * this machine alone.
 */
export function errorText(error: unknown): string {
  const code = codeOf(error)
  const text = textByCode[code]
  if (text === undefined || !(error instanceof Error)) {
    const message = error instanceof Error ? error.message : String(error)
    if (isForPeople(message)) return message
    return code ? `系统错误（${code}）` : '程序出错，详见现场机器的日志'
  }
  return 'path' in error && typeof error.path === 'string' ? `${text}：${error.path}` : text
}
