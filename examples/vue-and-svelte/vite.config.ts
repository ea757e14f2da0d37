import { svelte } from '@sveltejs/vite-plugin-svelte'
import vue from '@vitejs/plugin-vue'
import { defineConfig } from 'vite'

export default defineConfig({
  plugins: [vue(), svelte()],
  build: { rollupOptions: { input: ['vue.html', 'svelte.html'] } },
  server: { proxy: { '/graphql': process.env['STATLINE_URL'] ?? 'http://127.0.0.1:4000' } },
})
