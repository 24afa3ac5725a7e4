// An older Node cannot read the program at all, and would only report its file extension.
const needed = 24
const major = Number.parseInt(process.versions.node, 10)

if (major < needed) {
  console.error(
    `网关程序需要 Node ${needed} 或更高版本，此机器为 ${process.versions.node}（${process.execPath}），请升级后重新启动。`,
  )
  process.exitCode = 78
} else {
  await import('./main.ts')
}
