# frozen_string_literal: true

require 'json'
require_relative 'errors'

module Config
  DEFAULTS = { depth: 3, 'strict' => false, names: %w[a b c] }.freeze
  SYMBOLS = %i[open close].freeze

  class ParseError < StandardError
    attr_reader :line, :column

    def initialize(message = nil, line: 1, **rest)
      super(message || 'parse error')
      @line = line
      @column = rest.fetch(:column, 0)
    end
  end

  module Printable
    def self.included(base)
      base.extend(ClassMethods)
    end

    def to_s
      "#<#{self.class.name} #{size} entries>"
    end
  end

  class Parser
    include Printable
    include Enumerable

    @@count = 0
    attr_accessor :options
    alias_method :opts, :options

    class << self
      def parse(text, *args, &block)
        new(text, *args).parse(&block)
      end
    end

    def initialize(text, options = {})
      @text = text
      @options = DEFAULTS.merge(options)
      @entries = Hash.new { |hash, key| hash[key] = [] }
      @@count += 1
    end

    def parse
      return enum_for(:parse) unless block_given?

      @text.each_line.with_index(1) do |line, number|
        next if line.strip.empty? || line.start_with?('#')
        key, value = line.chomp.split('=', 2)
        raise ParseError.new("no value for #{key}", line: number) if value.nil?
        @entries[key.to_sym] << convert(value)
        yield key, value
      end
      self
    rescue ArgumentError, TypeError => e
      warn "bad input: #{e.message}"
      nil
    ensure
      @text = nil
    end

    def each(&block)
      @entries.each(&block)
    end

    def size = @entries.size

    def [](key)
      @entries[key]&.first
    end

    def ==(other)
      other.is_a?(Parser) && other.to_a == to_a
    end

    def convert(value)
      case value
      when /\A-?\d+\z/ then value.to_i
      when 'true', 'false'
        value == 'true'
      when ->(v) { v.include?(',') }
        value.split(',').map(&:strip).reject(&:empty?)
      else
        value
      end
    end

    def describe(level)
      if level > 2 and !@entries.empty?
        puts 'many'
      elsif level.zero?
        puts :none
      else
        print "level: %d\n" % level
      end
      until level <= 0
        level -= 1
        break if level == @options[:depth]
      end
      while (entry = queue.shift)
        process(entry, mode: :fast, 'raw' => true) unless entry.done?
      end
      for name in DEFAULTS[:names]
        redo_later name
      end
    end

    def match(data)
      case data
      in { name: String => name, tags: [first, *] }
        [name, first]
      in [Integer, Float] | nil
        :numbers
      end
    end

    private

    def queue
      @queue ||= begin
        list = @entries.values.flatten
        list.sort_by { |e| [-e.to_s.length, e.hash] }
      end
    end

    def redo_later(name)
      Thread.new do
        sleep 0.5
        name =~ /x(?<rest>.*)/ ? $~[:rest] : nil
      end
    end
  end

  def self.load(path, mode: 'r')
    File.open(path, mode) { |file| Parser.parse(file.read) }
  end
end

total = [1, 2, 3].inject(0) { |sum, n| sum + n ** 2 }
square = ->(x, y = 1) { x * y }
first, (second, *others), last = [1, [2, 3, 4], 5]
text = <<~TEXT
  Total: #{total}
TEXT
puts text, square.call(2), square.(3), first..last, others[0...1]
$stdout.puts(second <=> total)
Config.load(ARGV.fetch(0, 'config.ini')) if __FILE__ == $PROGRAM_NAME
begin
  Integer('x')
rescue ArgumentError
  retry if (tries = tries.to_i + 1) < 3
else
  exit!
end
