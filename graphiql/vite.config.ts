import { fileURLToPath } from 'node:url'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { fingerprintOf } from '../codegen/fingerprint.ts'

const at = (path: string) => fileURLToPath(new URL(path, import.meta.url))

export default defineConfig({
  base: '/graphiql/',
  plugins: [
    react(),
    {
      name: 'fingerprint',
      generateBundle() {
        const source = `${fingerprintOf(at('..'), 'graphiql')}\n`
        this.emitFile({ type: 'asset', fileName: 'sources.sha256', source })
      },
    },
  ],
  build: {
    outDir: at('../public/graphiql'),
    emptyOutDir: true,
    modulePreload: false,
    chunkSizeWarningLimit: 2000,
    rollupOptions: {
      output: {
        codeSplitting: false,
        // Names that stay, so that a change shows as a change of a file.
        entryFileNames: 'graphiql.js',
        assetFileNames: 'graphiql[extname]',
      },
    },
  },
})
