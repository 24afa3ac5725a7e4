/** The payment dialog alone, for screens that show nothing else of payments. */
export { useChannelPayment } from '../use-channel-payment.tsx'
