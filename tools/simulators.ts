import { ensureSimulator } from '#modules/invoices/server/simulator/simulator.ts'
import { startGatewayIfAbsent } from '#modules/payments/server/simulator/gateway.ts'

/** What stands in for other companies' systems in a demo: the payment gateway and the invoice platform. */
export async function startSimulators(
  dataDir: string,
  log: (line: string) => void,
): Promise<{ close(): Promise<void> }> {
  const gateway = await startGatewayIfAbsent(dataDir, log)
  const platform = await ensureSimulator(dataDir, log)
  return {
    close: async () => {
      await gateway?.close()
      await platform?.close()
    },
  }
}
